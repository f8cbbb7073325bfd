package io.lambdafs.model.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class LoopTest {
    /** Enough to overflow a stack that grew with them. */
    private static final int MANY = 200_000;

    private int steps;

    @Test
    void shouldRepeatStepsThatCompleteAtOnceOnOneStack() {
        CompletionStage<Void> over = Loop.whileTrue(() -> CompletableFuture.completedFuture(++steps < MANY));
        assertThat(over.toCompletableFuture()).isCompleted();
        assertThat(steps).isEqualTo(MANY);
    }

    @Test
    void shouldRepeatStepsThatCompleteLater() {
        Deque<CompletableFuture<Boolean>> underWay = new ArrayDeque<>();
        CompletableFuture<Void> over = Loop.whileTrue(() -> {
                    CompletableFuture<Boolean> step = new CompletableFuture<>();
                    underWay.add(step);
                    return step;
                })
                .toCompletableFuture();
        for (int i = 1; i <= MANY; i++) {
            assertThat(underWay).as("one at a time").hasSize(1);
            underWay.remove().complete(i < MANY);
        }
        assertThat(underWay).isEmpty();
        assertThat(over).isCompleted();
    }

    @Test
    void shouldFailAsItsStepDoes() {
        IllegalStateException failure = new IllegalStateException("on purpose");
        assertThat(Loop.whileTrue(() -> CompletableFuture.failedFuture(failure)).toCompletableFuture())
                .isCompletedExceptionally();
        assertThat(Loop.whileTrue(() -> {
                            throw failure;
                        })
                        .toCompletableFuture())
                .isCompletedExceptionally();
    }
}
