package io.lambdafs.functions.inflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class InFlightTest {
    private final InFlight inFlight = new InFlight(100);

    private static FsPath path(String text) {
        return FsPath.of(text);
    }

    private CompletableFuture<Void> drained(String... prefixes) {
        return inFlight.drained(List.of(prefixes).stream().map(FsPath::of).toList())
                .toCompletableFuture();
    }

    @Test
    void shouldCompleteAtOnceWhenNothingIsBelow() {
        inFlight.begin(path("/ab/c"), null);
        assertThat(drained("/a", "/ab/d")).isCompleted();
        assertThat(inFlight.count()).isEqualTo(1);
    }

    @Test
    void shouldWaitForOperationsBelowByEitherPath() {
        InFlight.Handle below = inFlight.begin(path("/a/b"), null);
        InFlight.Handle renamed = inFlight.begin(path("/x"), path("/a/c"));
        CompletableFuture<Void> drained = drained("/none", "/a");
        below.end();
        below.end();
        assertThat(drained).isNotDone();
        renamed.end();
        assertThat(drained).isCompleted();
        assertThat(inFlight.count()).isZero();
    }

    @Test
    void shouldNotWaitForARenameElsewhere() {
        inFlight.begin(path("/x"), path("/y/c"));
        assertThat(drained("/a", "/y/c/d", "/xy")).isCompleted();
    }

    @Test
    void shouldNotWaitForOperationsBegunLater() {
        InFlight.Handle before = inFlight.begin(path("/a"), null);
        CompletableFuture<Void> drained = drained("/a");
        inFlight.begin(path("/a/late"), null);
        assertThat(drained).isNotDone();
        before.end();
        assertThat(drained).isCompleted();
    }

    @Test
    void shouldExceptTheOneThatAsks() {
        InFlight.Handle own = inFlight.begin(path("/a"), path("/b"));
        assertThat(inFlight.drained(List.of(path("/a")), own).toCompletableFuture())
                .isCompleted();
        assertThat(drained("/a")).isNotDone();
    }

    @Test
    void shouldServeSeveralDrainsOfOneOperation() {
        InFlight.Handle one = inFlight.begin(path("/a"), null);
        CompletableFuture<Void> first = drained("/");
        CompletableFuture<Void> second = drained("/a");
        one.end();
        assertThat(first).isCompleted();
        assertThat(second).isCompleted();
    }

    @Test
    void shouldRefuseBeyondItsLimit() {
        List<InFlight.Handle> handles = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            handles.add(inFlight.begin(path("/" + i), null));
        }
        assertThatThrownBy(() -> inFlight.begin(path("/more"), null))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OVERLOADED));
        handles.get(42).end();
        inFlight.begin(path("/more"), null).end();
        assertThat(inFlight.count()).isEqualTo(99);
    }

    @Test
    void shouldDrainUnderConcurrentLoad() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        try {
            AtomicBoolean stop = new AtomicBoolean();
            CountDownLatch running = new CountDownLatch(3);
            List<Future<?>> load = new ArrayList<>();
            for (int t = 0; t < 3; t++) {
                FsPath path = path("/a/" + t);
                load.add(pool.submit(() -> {
                    running.countDown();
                    while (!stop.get()) {
                        InFlight.Handle handle = inFlight.begin(path, null);
                        Thread.onSpinWait();
                        handle.end();
                    }
                }));
            }
            running.await();
            for (int i = 0; i < 20_000; i++) {
                drained("/a").get();
            }
            stop.set(true);
            for (Future<?> run : load) {
                run.get();
            }
            assertThat(inFlight.count()).isZero();
        } finally {
            pool.shutdownNow();
        }
    }
}
