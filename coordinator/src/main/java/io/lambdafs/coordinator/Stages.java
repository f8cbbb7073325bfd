package io.lambdafs.coordinator;

import io.lambdafs.model.FsException;
import io.lambdafs.model.Scheduler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the core needs of completion stages beyond the JDK, with time from a {@link Scheduler}. */
final class Stages {
    private Stages() {}

    /** Calls; what is thrown instead of returned becomes a failed stage. */
    static <T extends @Nullable Object> CompletionStage<T> call(Supplier<? extends CompletionStage<T>> call) {
        try {
            return call.get();
        } catch (RuntimeException thrown) {
            return CompletableFuture.failedFuture(thrown);
        }
    }

    /** Completes after a delay. */
    static CompletionStage<@Nullable Void> delay(Scheduler scheduler, long nanos) {
        CompletableFuture<@Nullable Void> later = new CompletableFuture<>();
        scheduler.schedule(nanos, () -> later.complete(null));
        return later;
    }

    /** As the given stage, or failed with the given error if that takes longer. */
    static <T extends @Nullable Object> CompletionStage<T> within(
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
    static <T extends @Nullable Object> void copy(CompletionStage<T> from, CompletableFuture<T> to) {
        from.whenComplete((value, failure) -> {
            if (failure == null) {
                to.complete(value);
            } else {
                to.completeExceptionally(FsException.of(failure));
            }
        });
    }
}
