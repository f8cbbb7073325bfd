package io.lambdafs.client;

import io.lambdafs.client.call.Retries;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.model.time.Stages;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Paces retries at datanodes within one call: the delays of {@link Retries}, until a deadline. */
final class Patience {
    private final Scheduler scheduler;
    private final long deadlineNanos;
    private final FsPath path;
    private int attempts;

    Patience(Scheduler scheduler, long nanos, FsPath path) {
        this.scheduler = scheduler;
        this.path = path;
        this.deadlineNanos = scheduler.nanoTime() + nanos;
    }

    /** Completes after a delay; fails with {@code DEADLINE_EXCEEDED} if the deadline would pass. */
    CompletionStage<@Nullable Void> later(FsException why) {
        attempts++;
        long waitNanos = scheduler.random().nextLong(Retries.boundAfter(attempts) + 1);
        if (scheduler.nanoTime() + waitNanos - deadlineNanos > 0) {
            return CompletableFuture.failedFuture(LambdaFs.named(
                    path,
                    new FsException(
                            ErrorCode.DEADLINE_EXCEEDED, "given up at the deadline: " + why.getMessage(), why)));
        }
        return Stages.delay(scheduler, waitNanos);
    }
}
