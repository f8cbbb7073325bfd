package io.lambdafs.model.testkit;

import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Waits for a stage without a time limit of its own: what hangs is ended by the time limit of its test, by which {@link
 * java.util.concurrent.CompletableFuture#join} would not be interrupted. Stateless.
 */
public final class Waits {
    private Waits() {}

    /**
     * Returns the stage's value.
     *
     * @throws CompletionException if it fails, as {@link java.util.concurrent.CompletableFuture#join} does
     */
    public static <T extends @Nullable Object> T join(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get();
        } catch (ExecutionException e) {
            throw new CompletionException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while it waited for " + stage, e);
        }
    }
}
