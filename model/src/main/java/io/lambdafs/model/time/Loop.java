package io.lambdafs.model.time;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Repeats an asynchronous step sequentially with constant stack depth, whether steps complete at once or later.
 * Thread-safe.
 */
public final class Loop {
    private final Supplier<? extends CompletionStage<Boolean>> step;
    private final CompletableFuture<@Nullable Void> over = new CompletableFuture<>();
    /** Number of due steps: the thread that raises it to 1 runs steps until it is 0 again. */
    private final AtomicInteger due = new AtomicInteger();

    private Loop(Supplier<? extends CompletionStage<Boolean>> step) {
        this.step = step;
    }

    /**
     * Repeats a step while it completes with true.
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
            return; // Called by a step that completed at once: the loop below runs the next one.
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
