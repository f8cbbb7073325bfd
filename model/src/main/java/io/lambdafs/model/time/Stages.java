package io.lambdafs.model.time;

import io.lambdafs.model.FsException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Completion stages beyond the JDK: calls that may throw, delays and limits by the clock of a {@link Scheduler}. Stateless. */
public final class Stages {
    private Stages() {}

    /** Calls a supplier; an exception it throws becomes a failed stage. */
    public static <T extends @Nullable Object> CompletionStage<T> call(Supplier<? extends CompletionStage<T>> call) {
        try {
            return call.get();
        } catch (RuntimeException thrown) {
            return CompletableFuture.failedFuture(thrown);
        }
    }

    /** Completes after a delay. */
    public static CompletionStage<@Nullable Void> delay(Scheduler scheduler, long nanos) {
        CompletableFuture<@Nullable Void> later = new CompletableFuture<>();
        scheduler.schedule(nanos, () -> later.complete(null));
        return later;
    }

    /** Completes as the given stage does, or fails with the given error if the stage takes longer than the limit. */
    public static <T extends @Nullable Object> CompletionStage<T> within(
            CompletionStage<T> stage, long nanos, Scheduler scheduler, Supplier<FsException> late) {
        CompletableFuture<T> bounded = new CompletableFuture<>();
        copy(stage, bounded);
        if (!bounded.isDone()) {
            Scheduler.Timer timer = scheduler.schedule(nanos, () -> bounded.completeExceptionally(late.get()));
            bounded.whenComplete((value, failure) -> timer.cancel());
        }
        return bounded;
    }

    /** Completes a future as a stage completes, with failures as {@code FsException}s. */
    public static <T extends @Nullable Object> void copy(CompletionStage<T> from, CompletableFuture<T> to) {
        from.whenComplete((value, failure) -> {
            if (failure == null) {
                to.complete(value);
            } else {
                to.completeExceptionally(FsException.of(failure));
            }
        });
    }
}
