package io.lambdafs.hammer.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.cluster.process.JavaCommand;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.replay.ClusterProbe;
import io.lambdafs.hammer.replay.Progress;
import io.lambdafs.hammer.result.ReplayResult;
import io.lambdafs.hammer.result.Sample;
import io.lambdafs.hammer.result.ServerfulFleet;
import io.lambdafs.hammer.tree.MemoryFileSystem;
import io.lambdafs.hammer.tree.Target;
import io.lambdafs.hammer.workload.Workload;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.rpc.auth.Secret;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MasterTest {
    private static final String TEXT = "a secret of the test";
    private static final Duration LONG = Duration.ofSeconds(60);

    @TempDir
    private Path tree;

    private final Master master =
            new Master(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), Secret.of(TEXT));
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Process> processes = new ArrayList<>();

    @BeforeEach
    void writeTree() throws IOException {
        for (int d = 0; d < 40; d++) {
            Path directory = Files.createDirectory(tree.resolve("dir-" + d));
            for (int f = 0; f < 20; f++) {
                Files.writeString(directory.resolve("file-" + f), "content of " + d + "/" + f);
            }
        }
    }

    @AfterEach
    void stop() {
        master.close();
        processes.forEach(Process::destroyForcibly);
        threads.shutdownNow();
    }

    private Future<?> inThread(String secret) {
        return inThread(secret, null);
    }

    private Future<?> inThread(String secret, @Nullable Path report) {
        return inThread(secret, new MemoryFileSystem(), report);
    }

    private Future<?> inThread(String secret, Target target, @Nullable Path report) {
        return inThread(new Worker(Secret.of(secret), target, ClusterProbe.none(), Console.ofProcess(), report));
    }

    private Future<?> inThread(Worker worker) {
        return threads.submit(() -> worker.run(master.address()));
    }

    private Socket connect() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), master.address().getPort());
    }

    private Process inProcess() throws IOException {
        List<String> command = JavaCommand.measuring(
                MemoryWorker.class, 256, System.getProperty("surefire.test.class.path", JavaCommand.classPath()));
        command.addAll(List.of(String.valueOf(master.address().getPort()), TEXT));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(new File(tree.getParent().toFile(), "worker-" + System.nanoTime() + ".log"))
                .start();
        processes.add(process);
        return process;
    }

    private WorkersResult run(Workload workload, Consumer<Progress> progress) {
        return run(workload, progress, soFar -> {});
    }

    private WorkersResult run(Workload workload, Consumer<Progress> progress, Consumer<ReplayResult> unfinished) {
        Messages.Task task = new Messages.Task(tree, 10_000, 4_096, FsPath.of("/load"), workload);
        return master.run(task, ServerfulFleet.DEFAULT, ClusterProbe.none(), progress, unfinished);
    }

    @Test
    void shouldAddUpWhatWorkersHaveDone() throws Exception {
        Future<?> first = inThread(TEXT);
        Future<?> second = inThread(TEXT);
        master.await(2, LONG);
        Workload workload = Workload.spotify(Duration.ofSeconds(1), 1_000, 7);
        WorkersResult result = run(workload, progress -> {});
        first.get();
        second.get();
        ReplayResult together = result.result();
        assertThat(result.lost()).isZero();
        assertThat(together.failures()).isEmpty();
        assertThat(together.failed()).isZero();
        assertThat(result.shares()).hasSize(2).allSatisfy(share -> {
            assertThat(share.done()).isEqualTo(share.meant()).isGreaterThan(500);
            assertThat(share.line()).contains("operations done, 0 failed");
        });
        long meant = result.shares().stream().mapToLong(Share::meant).sum();
        assertThat(together.operations()).isEqualTo(meant);
        assertThat(together.latencyMicros().get(ReplayResult.ALL).count()).isEqualTo(meant);
        assertThat(together.phases().get(ReplayResult.BURST).count()).isPositive();
        // Both are at the same levels, and draw operations of their own.
        assertThat(result.shares().get(0).meant())
                .isNotEqualTo(result.shares().get(1).meant());
        assertThat(together.series().get(together.series().size() - 1).waiting())
                .isZero();
    }

    @Test
    void shouldLeaveOutTheRequestsOfTheImport() throws Exception {
        List<Future<?>> workers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            AtomicLong asked = new AtomicLong();
            // Since its client was opened: nine tenths by HTTP and no hits at first, then a tenth and nothing but hits.
            ClusterProbe probe = () -> {
                long n = asked.incrementAndGet();
                return new Sample(0, List.of(), 0, 0, 0, 1_000 + 10 * n, 900 + n, 50 * n, 3_000);
            };
            workers.add(
                    inThread(new Worker(Secret.of(TEXT), new MemoryFileSystem(), probe, Console.ofProcess(), null)));
        }
        master.await(2, LONG);
        ReplayResult together = run(Workload.spotify(Duration.ofSeconds(2), 100, 7), progress -> {})
                .result();
        for (Future<?> worker : workers) {
            worker.get();
        }
        assertThat(together.httpShare()).isEqualTo(0.1);
        assertThat(together.cacheHitRate()).isEqualTo(1);
    }

    @Test
    @Tag("slow")
    void shouldTellApartTheShareOfAWorkerThatWasKilled() throws Exception {
        Future<?> survivor = inThread(TEXT);
        Process victim = inProcess();
        master.await(2, LONG);
        Workload workload = Workload.spotify(Duration.ofSeconds(6), 500, 7).withBurstFactor(1);
        WorkersResult result = run(workload, progress -> victim.destroyForcibly());
        survivor.get();
        assertThat(result.lost()).isEqualTo(1);
        Share lost = result.shares().stream()
                .filter(share -> share.lost() != null)
                .findFirst()
                .orElseThrow();
        Share other = result.shares().stream()
                .filter(share -> share.lost() == null)
                .findFirst()
                .orElseThrow();
        assertThat(lost.process()).endsWith("process " + victim.pid());
        assertThat(lost.done()).isPositive().isLessThan(lost.meant());
        assertThat(lost.line()).contains("LOST at", "the other", "are not in the figures");
        assertThat(other.done()).isEqualTo(other.meant());
        assertThat(result.result().failed()).isZero();
        assertThat(result.result().latencyMicros().get(ReplayResult.ALL).count())
                .isEqualTo(other.done() + lost.done());
        assertThat(result.result().settings()).containsValue(lost.line());
    }

    @Test
    @Tag("slow")
    void shouldTellWhatWasMeasuredUntilItWasInterrupted() throws Exception {
        Path share = tree.resolveSibling("share-" + System.nanoTime());
        Future<?> reporting = inThread(TEXT, share);
        Future<?> other = inThread(TEXT);
        master.await(2, LONG);
        Workload workload = Workload.spotify(Duration.ofMinutes(10), 500, 7).withBurstFactor(1);
        AtomicReference<ReplayResult> told = new AtomicReference<>();
        Thread load = Thread.currentThread();
        try {
            assertThatThrownBy(() -> run(workload, progress -> load.interrupt(), told::set))
                    .isInstanceOf(FsException.class)
                    .hasMessageContaining("interrupted before its end");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        ReplayResult soFar = told.get();
        assertThat(soFar.unfinished()).matches("interrupted after \\d+\\.\\d of 600 s");
        assertThat(soFar.latencyMicros().get(ReplayResult.ALL).count()).isPositive();
        assertThat(soFar.series()).isNotEmpty();
        assertThat(soFar.settings()).containsKeys("worker-1", "worker-2");

        // Workers that have lost their master end, and one leaves the report of its share.
        master.close();
        assertThatThrownBy(() -> reporting.get()).hasMessageContaining("interrupted");
        assertThatThrownBy(() -> other.get()).hasMessageContaining("interrupted");
        assertThat(Files.readString(share.resolve("report.html"))).contains("Unfinished:</strong> interrupted after");
    }

    @Test
    void shouldSendAwayWhoDoesNotKnowTheSecret() {
        Future<?> stranger = inThread("another secret");
        assertThatThrownBy(() -> master.await(1, Duration.ofMillis(300))).hasMessageContaining("0 of 1 workers");
        assertThatThrownBy(() -> stranger.get()).hasMessageContaining("is lost");
    }

    @Test
    @Tag("slow")
    void shouldRegisterWorkersWhileStrangersSayNothing() throws Exception {
        try (Socket one = connect();
                Socket another = connect()) {
            Future<?> worker = inThread(TEXT);
            master.await(1, LONG);
            run(Workload.spotify(Duration.ofSeconds(1), 100, 7), progress -> {});
            worker.get();
            assertThat(one.isConnected() && another.isConnected()).isTrue();
        }
    }

    @Test
    @Tag("slow")
    void shouldLoseOnlyTheWorkerThatHangsBeforeAllAreThere() throws Exception {
        Future<?> hung = threads.submit(() -> {
            try (Wire wire = new Wire(connect())) {
                wire.proveToMaster(Secret.of(TEXT));
                wire.send(Wire.message("who").put("pid", 1));
                while (true) {
                    if (wire.receive().path("type").asText().equals("clock")) {
                        wire.send(Wire.message("clock").put("micros", Wire.micros()));
                    }
                }
            }
        });
        Future<?> first = inThread(TEXT);
        // The others come when the master has sent the hanging one away.
        Future<?> others = threads.submit(() -> {
            assertThatThrownBy(hung::get).hasCauseInstanceOf(IOException.class);
            Future<?> second = inThread(TEXT);
            inThread(TEXT).get();
            return second.get();
        });
        master.await(3, LONG);
        WorkersResult result = run(Workload.spotify(Duration.ofSeconds(1), 100, 7), progress -> {});
        first.get();
        others.get();
        assertThat(result.lost()).isZero();
        assertThat(result.shares()).noneMatch(share -> share.process().endsWith("process 1"));
    }

    @Test
    void shouldSendAwayWhoComesWhenAllAreThere() throws Exception {
        Future<?> first = inThread(TEXT);
        master.await(1, LONG);
        Future<?> late = inThread(TEXT);
        assertThatThrownBy(late::get).hasMessageContaining("is lost");
        run(Workload.spotify(Duration.ofSeconds(1), 100, 7), progress -> {});
        first.get();
    }

    /** Answers the first operation after a while. */
    private static final class SlowAtFirst implements Target {
        private final MemoryFileSystem files = new MemoryFileSystem();
        private final AtomicBoolean asked = new AtomicBoolean();
        private final Duration first;

        SlowAtFirst(Duration first) {
            this.first = first;
        }

        @Override
        public <R extends Reply> CompletionStage<R> execute(Operation<R> operation) {
            if (asked.getAndSet(true)) {
                return files.execute(operation);
            }
            Executor later = CompletableFuture.delayedExecutor(first.toMillis(), TimeUnit.MILLISECONDS);
            return CompletableFuture.supplyAsync(() -> files.apply(operation), later);
        }
    }

    @Test
    @Tag("slow")
    void shouldWaitForAWorkerWhoseImportStalls() throws Exception {
        Future<?> slow = inThread(TEXT, new SlowAtFirst(Wire.SILENCE.plusSeconds(3)), null);
        // Has nothing to do for as long, and nothing to say.
        Future<?> ready = inThread(TEXT);
        master.await(2, LONG);
        WorkersResult result = run(Workload.spotify(Duration.ofSeconds(1), 100, 7), progress -> {});
        slow.get();
        ready.get();
        assertThat(result.lost()).isZero();
    }

    @Test
    void shouldEndBeforeTheStartIfAWorkerCannotImport() {
        Future<?> worker = inThread(TEXT);
        master.await(1, LONG);
        Messages.Task task = new Messages.Task(
                tree.resolve("missing"), 10, 4_096, FsPath.of("/load"), Workload.spotify(Duration.ofSeconds(1), 10, 1));
        assertThatThrownBy(() ->
                        master.run(task, ServerfulFleet.DEFAULT, ClusterProbe.none(), progress -> {}, soFar -> {}))
                .isInstanceOf(FsException.class)
                .hasMessageContaining("nothing has been measured");
        assertThatThrownBy(() -> worker.get()).hasMessageContaining("missing");
    }

    @Test
    void shouldCompareClocks() throws Exception {
        long ahead = 5_000_000;
        Future<?> fake = threads.submit(() -> {
            try (Wire wire = new Wire(connect())) {
                wire.proveToMaster(Secret.of(TEXT));
                wire.send(Wire.message("who").put("pid", 1));
                while (true) {
                    wire.receive("clock");
                    wire.send(Wire.message("clock").put("micros", Wire.micros() + ahead));
                }
            }
        });
        master.await(1, LONG);
        Seat seat = master.seats().get(0);
        assertThat(seat.clockMicros).isBetween(ahead - seat.clockErrorMicros - 1, ahead + seat.clockErrorMicros + 1);
        fake.cancel(true);
    }
}
