package io.lambdafs.rpc.idle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SpinThenParkTest {
    private long now;
    private int turns;
    private long turnNanos;
    private final SpinThenPark wait = new SpinThenPark(1, () -> now, () -> {
        now += turnNanos;
        turns++;
    });

    /** Waits for an answer that comes after so many nanoseconds; returns how long it was waited for. */
    private long waitFor(long answerNanos) {
        long begun = now;
        turns = 0;
        wait.until(() -> now - begun >= answerNanos);
        return now - begun;
    }

    private void freeProcessor() {
        turnNanos = SpinThenPark.NO_TURN_NANOS / 4;
    }

    private void busyProcessor() {
        turnNanos = SpinThenPark.NO_TURN_NANOS * 4;
    }

    @Test
    void shouldStayAwakeUntilANearAnswerHasCome() {
        freeProcessor();
        for (int call = 0; call < 1_000; call++) {
            assertThat(waitFor(SpinThenPark.NEAR_NANOS / 2)).isEqualTo(SpinThenPark.NEAR_NANOS / 2);
        }
    }

    @Test
    void shouldSleepSoonWhereAnswersAreFar() {
        freeProcessor();
        long first = waitFor(Long.MAX_VALUE);
        assertThat(first).isBetween(SpinThenPark.NEAR_NANOS, SpinThenPark.NEAR_NANOS + turnNanos);
        for (int call = 0; call < 1_000; call++) {
            waitFor(Long.MAX_VALUE);
        }
        int looked = 0;
        for (int call = 0; call < 10 * Credit.TRY_EVERY; call++) {
            looked += waitFor(Long.MAX_VALUE) > turnNanos ? 1 : 0;
        }
        assertThat(looked).isEqualTo(10);
    }

    @Test
    void shouldLookAgainWhenAnswersAreNearAgain() {
        freeProcessor();
        for (int call = 0; call < 1_000; call++) {
            waitFor(Long.MAX_VALUE);
        }
        for (int call = 0; call < Credit.TRY_EVERY; call++) {
            waitFor(10 * turnNanos);
        }
        for (int call = 0; call < 100; call++) {
            assertThat(waitFor(10 * turnNanos)).isEqualTo(10 * turnNanos);
        }
    }

    @Test
    void shouldGiveNoMoreThanSoManyTurnsToOthers() {
        busyProcessor();
        waitFor(Long.MAX_VALUE);
        assertThat(turns).isEqualTo(SpinThenPark.MAX_TURNS);
        waitFor(3 * turnNanos);
        assertThat(turns).isEqualTo(3);
    }

    @Test
    void shouldNotTakeMoreThanItsPlaces() {
        freeProcessor();
        long[] inner = {-1};
        wait.until(() -> {
            if (inner[0] < 0) {
                inner[0] = 0;
                return false;
            }
            inner[0] = waitFor(Long.MAX_VALUE);
            return true;
        });
        assertThat(inner[0]).isZero();
    }
}
