package io.lambdafs.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.testkit.Waits;
import io.lambdafs.rpc.http.HttpCall;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.ThreadScheduler;
import io.lambdafs.store.engine.CommitObserver;
import io.lambdafs.store.engine.StoreLimits;
import io.lambdafs.store.server.process.StoreMetrics;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The thread that commits meets an Error: nobody waits for ever, and the store says that it takes no commits. */
class CommitThreadTest {
    private static final Key FIRST = Schema.SEQUENCES.key("first");
    private static final Key SECOND = Schema.SEQUENCES.key("second");

    @TempDir
    private Path folder;

    private final ThreadScheduler scheduler = new ThreadScheduler();
    private final StoreMetrics metrics = new StoreMetrics();
    /** The thread is to die after this group. */
    private volatile boolean deadly;

    private final CountDownLatch dying = new CountDownLatch(1);
    private final CountDownLatch mayDie = new CountDownLatch(1);

    private final CommitObserver observer = new CommitObserver() {
        @Override
        public void group(int commits, long bytes, long nanos) {
            if (deadly) {
                dying.countDown();
                try {
                    mayDie.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                throw new StackOverflowError("of the test");
            }
        }

        @Override
        public void failed(int commits) {}
    };

    @AfterEach
    void close() {
        scheduler.close();
    }

    private static CompletableFuture<Void> put(RocksStore store, Key key) {
        return store.begin(0)
                .commit(List.of(new Mutation.Put(new Row(key, 1L))), Long.MAX_VALUE)
                .toCompletableFuture();
    }

    private static Row get(RocksStore store, Key key) {
        return store.begin(0)
                .readAndEnd(List.of(Read.unlocked(key)), 0)
                .toCompletableFuture()
                .join()
                .get(0);
    }

    private int health() {
        HttpCall call = new HttpCall(
                "GET",
                "/healthz",
                Map.of(),
                Map.of(),
                new byte[0],
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
        return metrics.handle(call).toCompletableFuture().join().status();
    }

    @Test
    void shouldLeaveNobodyWaitingWhenItsThreadDies() throws InterruptedException {
        RocksStore store = RocksStore.open(scheduler, StoreLimits.defaults(), RocksSettings.of(folder), observer);
        metrics.watch(store);
        assertThat(health()).isEqualTo(200);
        deadly = true;
        CompletableFuture<Void> written = put(store, FIRST);
        dying.await();
        CompletableFuture<Void> queued = put(store, SECOND);
        mayDie.countDown();
        // What was durable is acknowledged; what waited, or comes later, is refused.
        Waits.join(written);
        await().dontCatchUncaughtExceptions().until(() -> store.trouble().isPresent());
        for (CompletableFuture<Void> refused : List.of(queued, put(store, SECOND))) {
            assertThatThrownBy(() -> Waits.join(refused))
                    .cause()
                    .isInstanceOfSatisfying(
                            FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE))
                    .hasMessageContaining("commit thread has died")
                    .hasMessageContaining("of the test");
        }
        assertThat(health()).isEqualTo(503);
        assertThat(get(store, FIRST)).isNotNull();
        assertThat(get(store, SECOND)).isNull();
        store.close();
        try (RocksStore again = RocksStore.open(scheduler, StoreLimits.defaults(), RocksSettings.of(folder))) {
            assertThat(get(again, FIRST)).isNotNull();
            assertThat(get(again, SECOND)).isNull();
        }
    }

    /**
     * The process of the test below: 700 commits of 64 KB at once, in a heap of 64 MB; those that are refused come
     * again.
     */
    static final class ManyCommits {
        private static final int COMMITS = 700;

        private ManyCommits() {}

        public static void main(String[] arguments) throws Exception {
            ThreadScheduler scheduler = new ThreadScheduler();
            boolean[] done = new boolean[COMMITS];
            int left = COMMITS;
            try (RocksStore store =
                    RocksStore.open(scheduler, StoreLimits.defaults(), RocksSettings.of(Path.of(arguments[0])))) {
                for (int round = 0; left > 0; round++) {
                    List<CompletableFuture<Void>> commits = new ArrayList<>();
                    for (int i = 0; i < COMMITS; i++) {
                        Row row = new Row(Schema.SMALL_FILES.key(1L, (long) i), new byte[64 << 10]);
                        commits.add(
                                done[i]
                                        ? CompletableFuture.completedFuture(null)
                                        : store.begin(0)
                                                .commit(List.of(new Mutation.Put(row)), Long.MAX_VALUE)
                                                .toCompletableFuture());
                    }
                    left = 0;
                    for (int i = 0; i < COMMITS; i++) {
                        done[i] = commits.get(i)
                                .handle((nothing, thrown) -> thrown == null)
                                .get();
                        left += done[i] ? 0 : 1;
                    }
                    System.out.println("after round " + round + " " + left + " are left");
                }
            }
            System.exit(0);
        }
    }

    @Test
    void shouldTakeNoMoreAtOnceThanItHasMemoryFor() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ManyCommits.class.getName(),
                        folder.resolve("store").toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile())
                .start();
        try {
            process.waitFor();
            assertThat(process.exitValue())
                    .as(Files.readString(folder.resolve("output")))
                    .isZero();
        } finally {
            process.destroyForcibly();
        }
        try (RocksStore store =
                RocksStore.open(scheduler, StoreLimits.defaults(), RocksSettings.of(folder.resolve("store")))) {
            for (long i = 0; i < ManyCommits.COMMITS; i++) {
                Row row = get(store, Schema.SMALL_FILES.key(1L, i));
                assertThat(row).isNotNull();
                assertThat(row.bytes(0)).hasSize(64 << 10);
            }
        }
    }
}
