package io.lambdafs.model.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class WaitsTest {
    @Test
    void shouldLetAwaitilityWaitForNearlyAsLongAsATestMayTake() {
        AtomicLong leftMillis = new AtomicLong();
        await().conditionEvaluationListener(looked -> leftMillis.set(looked.getRemainingTimeInMS()))
                .until(() -> true);
        assertThat(Duration.ofMillis(leftMillis.get())).isBetween(Duration.ofMinutes(4), Duration.ofMinutes(5));
    }

    @Test
    void shouldReturnTheValueOrFailAsTheStageDoes() {
        assertThat(Waits.join(CompletableFuture.completedFuture(7))).isEqualTo(7);
        IllegalStateException why = new IllegalStateException("why");
        assertThatThrownBy(() -> Waits.join(CompletableFuture.failedFuture(why)))
                .isInstanceOf(CompletionException.class)
                .hasCause(why);
    }

    @Test
    void shouldEndWhenTheTestsLimitInterruptsIt() throws Exception {
        AtomicReference<Throwable> end = new AtomicReference<>();
        Thread test = new Thread(() -> {
            try {
                Waits.join(new CompletableFuture<>());
            } catch (AssertionError e) {
                end.set(e);
            }
        });
        test.start();
        test.interrupt();
        test.join();
        assertThat(end.get()).hasMessageContaining("interrupted while it waited");
    }
}
