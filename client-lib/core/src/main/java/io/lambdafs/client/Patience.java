package io.lambdafs.client;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Scheduler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Pauses between attempts at datanodes, longer each time, until a deadline. For one call. */
final class Patience {
    private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Scheduler scheduler;
    private final long deadlineNanos;
    private long pauseNanos = FIRST_NANOS;

    Patience(Scheduler scheduler, long nanos) {
        this.scheduler = scheduler;
        this.deadlineNanos = scheduler.nanoTime() + nanos;
    }

    /** Completes after a pause; fails with {@code DEADLINE_EXCEEDED} where the deadline would pass. */
    CompletionStage<Void> later(FsException why) {
        if (scheduler.nanoTime() + pauseNanos - deadlineNanos > 0) {
            return CompletableFuture.failedFuture(
                    new FsException(ErrorCode.DEADLINE_EXCEEDED, "given up at the deadline: " + why.getMessage(), why));
        }
        long half = pauseNanos / 2;
        CompletableFuture<Void> passed = new CompletableFuture<>();
        scheduler.schedule(half + scheduler.random().nextLong(half + 1), () -> passed.complete(null));
        pauseNanos = Math.min(LONGEST_NANOS, 2 * pauseNanos);
        return passed;
    }
}
