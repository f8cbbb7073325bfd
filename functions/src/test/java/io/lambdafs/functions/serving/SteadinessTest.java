package io.lambdafs.functions.serving;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SteadinessTest {
    private final Steadiness steadiness = new Steadiness();

    private void windows(long... microsPerOperation) {
        for (long micros : microsPerOperation) {
            steadiness.add(100, 100 * 1_000 * micros);
        }
    }

    @Test
    void shouldNotTakeANewcomerForSteadyHoweverLittleIsKnown() {
        assertThat(steadiness.ofSteady()).isEqualTo(Steadiness.UNSETTLED);
        windows(1_600);
        assertThat(steadiness.isSettled()).isFalse();
        assertThat(steadiness.ofSteady()).isEqualTo(Steadiness.UNSETTLED);
    }

    @Test
    void shouldSettleOnceOperationsDoNotBecomeCheaper() {
        windows(1_600, 400, 100, 60, 58, 61);
        assertThat(steadiness.isSettled()).isFalse();
        windows(57);
        assertThat(steadiness.isSettled()).isTrue();
        assertThat(steadiness.ofSteady()).isEqualTo(1);
    }

    @Test
    void shouldTellHowMuchMoreThanTheCheapestWindowTheLastOneCost() {
        windows(50, 50, 50, 50, 150);
        assertThat(steadiness.ofSteady()).isEqualTo(3);
    }

    @Test
    void shouldBeginAnewWhereOperationsBecomeMuchCheaper() {
        windows(100, 100, 100, 100);
        assertThat(steadiness.isSettled()).isTrue();
        windows(40);
        assertThat(steadiness.isSettled()).isFalse();
    }

    @Test
    void shouldHandOnThatTheProcessIsWarmAndNotWhatOtherOperationsCost() {
        assertThat(steadiness.anew().isSettled()).isFalse();
        windows(10, 10, 10, 10);
        Steadiness serving = steadiness.anew();
        assertThat(serving.ofSteady()).isEqualTo(1);
        serving.add(100, 100 * 50_000);
        assertThat(serving.isSettled()).isFalse();
        assertThat(serving.ofSteady()).isEqualTo(Steadiness.UNSETTLED);
    }
}
