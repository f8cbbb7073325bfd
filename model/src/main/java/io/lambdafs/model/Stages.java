package io.lambdafs.model;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Completion stages beyond the JDK: calls that may throw, delays and limits by the clock of a {@link Scheduler}. Stateless. */
public final class Stages {
    private Stages() {}

    /** Calls; what is thrown instead of returned becomes a failed stage. */
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

    /** Completes as the given stage, or fails with the given error if that takes longer. */
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

    /** Completes a future as a stage completes, failures typed. */
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
