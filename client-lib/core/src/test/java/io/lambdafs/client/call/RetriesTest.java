package io.lambdafs.client.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.Disposition;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.testkit.ManualScheduler;
import java.time.Duration;
import java.util.LongSummaryStatistics;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RetriesTest {
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final Duration FIRST_CONTACT = Duration.ofSeconds(5);

    private final Retries retries = new Retries(DEADLINE, FIRST_CONTACT, ManualScheduler.seeded(42));

    private static Retries.Progress progress(int attempts, Duration elapsed, boolean contacted) {
        return new Retries.Progress(attempts, elapsed.toNanos(), contacted);
    }

    @ParameterizedTest
    @EnumSource(ErrorCode.class)
    void shouldRepeatByDispositionOnly(ErrorCode code) {
        long delay = retries.delayAfter(code, progress(1, Duration.ofSeconds(1), true));

        if (code.disposition() == Disposition.FINAL) {
            assertThat(delay).isEqualTo(Retries.GIVE_UP);
        } else {
            assertThat(delay).isBetween(0L, Retries.FIRST.toNanos());
        }
    }

    @Test
    void shouldDoubleTheBoundUpToTheLongestWait() {
        assertThat(Retries.boundAfter(1)).isEqualTo(Duration.ofMillis(10).toNanos());
        assertThat(Retries.boundAfter(2)).isEqualTo(Duration.ofMillis(20).toNanos());
        assertThat(Retries.boundAfter(8)).isEqualTo(Duration.ofMillis(1_280).toNanos());
        assertThat(Retries.boundAfter(9)).isEqualTo(Retries.LONGEST.toNanos());
        assertThat(Retries.boundAfter(Integer.MAX_VALUE)).isEqualTo(Retries.LONGEST.toNanos());
    }

    @Test
    void shouldSpreadWaitsOverTheWholeInterval() {
        long bound = Retries.boundAfter(5);

        LongSummaryStatistics waits = LongStream.range(0, 2_000)
                .map(i -> retries.delayAfter(ErrorCode.THROTTLED, progress(5, Duration.ZERO, true)))
                .summaryStatistics();

        assertThat(waits.getMin()).isBetween(0L, bound / 20);
        assertThat(waits.getMax()).isBetween(bound - bound / 20, bound);
        assertThat(waits.getAverage()).isBetween(bound * 0.45, bound * 0.55);
    }

    @Test
    void shouldGiveUpAtDeadline() {
        assertThat(retries.delayAfter(ErrorCode.FENCED, progress(1, DEADLINE.minusSeconds(3), true)))
                .isNotEqualTo(Retries.GIVE_UP);
        assertThat(retries.delayAfter(ErrorCode.FENCED, progress(1, DEADLINE, true)))
                .isEqualTo(Retries.GIVE_UP);
        assertThat(retries.delayAfter(ErrorCode.TIMED_OUT, progress(9, DEADLINE.plusSeconds(1), true)))
                .isEqualTo(Retries.GIVE_UP);
    }

    @Test
    void shouldGiveUpEarlyWhereGatewayHasNeverAnswered() {
        Duration later = FIRST_CONTACT.plusMillis(1);

        assertThat(retries.delayAfter(ErrorCode.UNAVAILABLE, progress(4, later, false)))
                .isEqualTo(Retries.GIVE_UP);
        assertThat(retries.delayAfter(ErrorCode.UNAVAILABLE, progress(4, later, true)))
                .isNotEqualTo(Retries.GIVE_UP);
        assertThat(retries.delayAfter(ErrorCode.THROTTLED, progress(4, later, false)))
                .isNotEqualTo(Retries.GIVE_UP);
    }
}
