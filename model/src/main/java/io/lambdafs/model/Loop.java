package io.lambdafs.model;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Repeats an asynchronous step, one after the other, on a stack that does not grow with their number, whether the steps complete at
 * once or later. Thread-safe.
 */
public final class Loop {
    private final Supplier<? extends CompletionStage<Boolean>> step;
    private final CompletableFuture<@Nullable Void> over = new CompletableFuture<>();
    /** Number of steps that are due: the thread that raises it to 1 takes them until it is 0. */
    private final AtomicInteger due = new AtomicInteger();

    private Loop(Supplier<? extends CompletionStage<Boolean>> step) {
        this.step = step;
    }

    /**
     * Repeats a step as long as it completes with true.
     *
     * @return completes after the first step that completed with false; fails as the first step that failed
     */
    public static CompletionStage<@Nullable Void> whileTrue(Supplier<? extends CompletionStage<Boolean>> step) {
        Loop loop = new Loop(step);
        loop.next();
        return loop.over;
    }

    private void next() {
        if (due.getAndIncrement() > 0) {
            return; // Called by a step that has completed at once: the loop below takes the next one.
        }
        do {
            take();
        } while (due.decrementAndGet() > 0);
    }

    private void take() {
        CompletionStage<Boolean> stage;
        try {
            stage = step.get();
        } catch (RuntimeException thrown) {
            over.completeExceptionally(thrown);
            return;
        }
        stage.whenComplete((again, failure) -> {
            if (failure != null) {
                over.completeExceptionally(failure);
            } else if (again) {
                next();
            } else {
                over.complete(null);
            }
        });
    }
}
