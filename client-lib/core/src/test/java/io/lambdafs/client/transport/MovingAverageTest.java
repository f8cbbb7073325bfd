package io.lambdafs.client.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MovingAverageTest {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final MovingAverage average = new MovingAverage();

    private void record(int times, long nanos) {
        for (int i = 0; i < times; i++) {
            average.record(nanos);
        }
    }

    @Test
    void shouldSayNothingWhileTooLittleIsKnown() {
        record(MovingAverage.FIRST - 1, MILLI);
        assertThat(average.limit(10, 1)).isEqualTo(Long.MAX_VALUE);

        record(1, MILLI);
        assertThat(average.limit(10, 1)).isEqualTo(10 * MILLI);
    }

    @Test
    void shouldNotGoBelowTheFloor() {
        record(100, MILLI);
        assertThat(average.limit(10, 50 * MILLI)).isEqualTo(50 * MILLI);
    }

    @Test
    void shouldBeTheMeanOfTheFirstOnes() {
        record(8, MILLI);
        record(8, 3 * MILLI);
        assertThat(average.limit(1, 1)).isBetween(2 * MILLI - 10, 2 * MILLI + 10);
    }

    @Test
    void shouldFollowAChangeWithinAFewWindows() {
        record(10_000, MILLI);
        record(4 * MovingAverage.WINDOW, 100 * MILLI);
        assertThat(average.limit(1, 1)).isBetween(97 * MILLI, 100 * MILLI);
    }
}
