package io.lambdafs.rpc.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.message.RpcMessages;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoopSchedulerTest {
    private final NettyTransport transport =
            new NettyTransport(RpcMessages.codec(), 2, "test-io", TransportLimits.DEFAULT);
    private final Scheduler scheduler = transport.scheduler();

    @AfterEach
    void close() {
        transport.close();
    }

    private static void assertRefused(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_READY));
    }

    @Test
    void shouldRunEveryTaskOnTheSameEventLoop() {
        CompletableFuture<Thread> first = new CompletableFuture<>();
        CompletableFuture<Thread> second = new CompletableFuture<>();
        CompletableFuture<Thread> timed = new CompletableFuture<>();

        scheduler.execute(() -> first.complete(Thread.currentThread()));
        scheduler.execute(() -> second.complete(Thread.currentThread()));
        scheduler.schedule(1, () -> timed.complete(Thread.currentThread()));

        assertThat(first.join().getName()).startsWith("test-io-");
        assertThat(second.join()).isSameAs(first.join());
        assertThat(timed.join()).isSameAs(first.join());
    }

    @Test
    void shouldNotRunATaskOnTheStackOfTheOneThatHandsItOver() {
        CompletableFuture<Boolean> within = new CompletableFuture<>();
        scheduler.execute(() -> {
            AtomicBoolean running = new AtomicBoolean(true);
            scheduler.execute(() -> within.complete(running.get()));
            running.set(false);
        });

        assertThat(within.join()).isFalse();
    }

    @Test
    void shouldRunATimedTaskNotBeforeItsTime() {
        long delay = TimeUnit.MILLISECONDS.toNanos(20);
        long start = scheduler.nanoTime();
        CompletableFuture<Long> at = new CompletableFuture<>();

        scheduler.schedule(delay, () -> at.complete(scheduler.nanoTime()));

        assertThat(at.join() - start).isGreaterThanOrEqualTo(delay);
    }

    @Test
    void shouldNotRunWhatWasCancelled() {
        AtomicBoolean ran = new AtomicBoolean();
        CompletableFuture<Void> later = new CompletableFuture<>();

        Scheduler.Timer timer = scheduler.schedule(TimeUnit.MILLISECONDS.toNanos(20), () -> ran.set(true));
        timer.cancel();
        scheduler.schedule(TimeUnit.MILLISECONDS.toNanos(40), () -> later.complete(null));

        later.join();
        assertThat(ran).isFalse();
    }

    @Test
    void shouldRefuseWhatComesAfterTheEnd() {
        transport.close();

        assertRefused(() -> scheduler.execute(() -> {}));
        assertRefused(() -> scheduler.schedule(1, () -> {}));
    }
}
