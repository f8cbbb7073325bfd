package io.lambdafs.hammer.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.hammer.report.Report;
import io.lambdafs.hammer.result.ReplayResult;
import io.lambdafs.hammer.result.Sample;
import io.lambdafs.hammer.result.ServerfulFleet;
import io.lambdafs.hammer.tree.ImportedTree;
import io.lambdafs.hammer.tree.MemoryFileSystem;
import io.lambdafs.hammer.tree.Target;
import io.lambdafs.hammer.tree.Trees;
import io.lambdafs.hammer.workload.OperationKind;
import io.lambdafs.hammer.workload.Workload;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Reply;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReplayTest {
    private static final long SEED = 42;

    @TempDir
    private Path directory;

    private final MemoryFileSystem files = new MemoryFileSystem();
    private final ExecutorService pool = Executors.newFixedThreadPool(4);
    private ImportedTree tree;

    @BeforeEach
    void importTree() throws Exception {
        tree = Trees.importInto(files, Trees.write(directory, 60, 20));
    }

    @AfterEach
    void stop() {
        pool.shutdownNow();
    }

    /** Applies operations on several threads, so that they overlap and end in another order than they began. */
    private final class Concurrent implements Target {
        @Override
        public <R extends Reply> CompletionStage<R> execute(Operation<R> operation) {
            return CompletableFuture.supplyAsync(() -> files.apply(operation), pool);
        }
    }

    @Test
    @Tag("slow")
    void shouldFindNoFailureInCorrectFileSystemUnderConcurrency() {
        ReplaySettings settings = ReplaySettings.of(
                        tree,
                        Workload.spotify(Duration.ofSeconds(2), 80_000, SEED).withBurstFactor(3))
                .withDrain(Duration.ofSeconds(90));
        ReplayResult result = Replay.run(settings, new Concurrent(), ClusterProbe.none(), progress -> {});
        assertThat(result.failures()).isEmpty();
        assertThat(result.failed()).isZero();
        assertThat(result.operations()).isGreaterThan(200_000);
        assertThat(result.latencyMicros().get(ReplayResult.ALL).count()).isEqualTo(result.operations());
        for (OperationKind kind : OperationKind.values()) {
            assertThat(result.latencyMicros().get(kind.label()).count())
                    .as(kind.label())
                    .isPositive();
        }
    }

    @Test
    void shouldTellWhatItHasMeasuredWhenItIsInterrupted() throws Exception {
        ReplaySettings settings = ReplaySettings.of(tree, Workload.spotify(Duration.ofMinutes(10), 1_000, SEED));
        AtomicInteger seen = new AtomicInteger();
        Thread load = Thread.currentThread();
        Target interrupting = new Target() {
            @Override
            public <R extends Reply> CompletionStage<R> execute(Operation<R> operation) {
                if (seen.incrementAndGet() == 300) {
                    load.interrupt();
                }
                return CompletableFuture.completedFuture(files.apply(operation));
            }
        };
        Queue<ReplayResult> soFar = new ConcurrentLinkedQueue<>();
        try {
            assertThatThrownBy(() -> Replay.run(
                            settings, interrupting, ClusterProbe.none(), progress -> {}, soFar::add, new QuickTime()))
                    .isInstanceOfSatisfying(
                            FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERRUPTED));
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(soFar).hasSize(1);
        ReplayResult result = soFar.element();
        assertThat(result.unfinished()).startsWith("interrupted after ").endsWith(" of 600 s");
        assertThat(result.failed()).isZero();
        assertThat(result.latencyMicros().get(ReplayResult.ALL).count()).isBetween(290L, 900L);
        assertThat(result.seconds()).isLessThan(60);
        assertThat(Files.readString(Report.write(result, directory.resolve("report"))))
                .contains("Unfinished:</strong> interrupted after");
        assertThat(Report.table(result)).contains("UNFINISHED: interrupted after");
    }

    @Test
    void shouldCountRefusalsAndGoOn() {
        Target flaky = new Target() {
            private final AtomicInteger count = new AtomicInteger();

            @Override
            public <R extends Reply> CompletionStage<R> execute(Operation<R> operation) {
                if (count.incrementAndGet() % 50 == 0) {
                    throw FsException.unavailable("planted");
                }
                return CompletableFuture.completedFuture(files.apply(operation));
            }
        };
        Target typed = new Target() {
            @Override
            public <R extends Reply> CompletionStage<R> execute(Operation<R> operation) {
                try {
                    return flaky.execute(operation);
                } catch (FsException refused) {
                    return CompletableFuture.failedFuture(refused);
                }
            }
        };
        ReplaySettings settings = ReplaySettings.of(tree, Workload.spotify(Duration.ofSeconds(1), 2_000, SEED));
        ReplayResult result =
                Replay.run(settings, typed, ClusterProbe.none(), progress -> {}, unfinished -> {}, new QuickTime());
        assertThat(result.failed()).isEqualTo(result.operations() / 50);
        assertThat(result.failures()).hasSizeLessThanOrEqualTo(20).allMatch(text -> text.contains("planted"));
    }

    @Test
    @Tag("slow")
    void shouldReportProgressInstancesCostAndScaleIn() {
        AtomicInteger asked = new AtomicInteger();
        ClusterProbe probe = () -> {
            int n = asked.getAndIncrement();
            if (n == 1) {
                throw new IllegalStateException("planted: no answer");
            }
            int instances = n < 3 ? 4 : 0;
            List<Integer> all = List.of(instances, 1 - Math.min(1, n / 3));
            return new Sample(0, all, n, 5 + n, 9 + 2 * n, 100L + 8L * n, 90L + 2L * n, 90L * n, 10L * n);
        };
        Queue<Progress> shown = new ConcurrentLinkedQueue<>();
        ReplaySettings settings = ReplaySettings.of(tree, Workload.spotify(Duration.ofSeconds(2), 100, SEED))
                .withWatchScaleIn(Duration.ofSeconds(60))
                .withFleet(new ServerfulFleet(2, 360));
        ReplayResult result = Replay.run(settings, files, probe, shown::add);
        assertThat(result.peakInstances()).isEqualTo(5);
        assertThat(result.finalInstances()).isZero();
        assertThat(result.cacheHitRate()).isEqualTo(0.9);
        assertThat(result.httpShare()).isEqualTo(0.25);
        assertThat(result.cost().payPerUseUsd()).isEqualTo(3.0);
        assertThat(result.cost().simplifiedUsd()).isEqualTo(6.0);
        double watched = result.series().get(result.series().size() - 1).seconds();
        assertThat(result.cost().serverfulUsd()).isEqualTo(5 * 2 * 360 * watched / 3_600);
        assertThat(shown).isNotEmpty();
        assertThat(shown.element().line()).contains("ops/s", "instances [4 1]", "failed 0");
    }

    @Test
    void shouldRefuseTreeWithNothingToRead() throws Exception {
        Path empty = Files.createDirectory(directory.resolve("only-long"));
        Files.write(empty.resolve("long"), new byte[100_000]);
        MemoryFileSystem other = new MemoryFileSystem();
        ImportedTree unreadable = Trees.importInto(other, empty);
        ReplaySettings settings = ReplaySettings.of(unreadable, Workload.spotify(Duration.ofSeconds(1), 100, SEED));
        assertThatThrownBy(() -> Replay.run(settings, other, ClusterProbe.none(), progress -> {}))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
                .hasMessageContaining("nothing can be read");
    }

    @Test
    void shouldRefuseSettingsOutOfRange() {
        assertThatThrownBy(() -> ReplaySettings.of(tree, Workload.spotify(Duration.ZERO, 100, SEED)))
                .hasMessageContaining("seconds");
        assertThatThrownBy(() -> ReplaySettings.of(tree, Workload.spotify(Duration.ofSeconds(1), Double.NaN, SEED)))
                .hasMessageContaining("base operations");
    }
}
