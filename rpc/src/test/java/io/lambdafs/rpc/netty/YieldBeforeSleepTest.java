package io.lambdafs.rpc.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.SelectStrategy;
import org.junit.jupiter.api.Test;

class YieldBeforeSleepTest {
    private final SelectStrategy strategy = new YieldBeforeSleep();

    @Test
    void shouldNotSleepWhenTasksWait() throws Exception {
        assertThat(strategy.calculateStrategy(() -> 0, true)).isZero();
        assertThat(strategy.calculateStrategy(() -> 3, true)).isEqualTo(3);
    }

    @Test
    void shouldTakeWhatCameMeanwhile() throws Exception {
        assertThat(strategy.calculateStrategy(() -> 2, false)).isEqualTo(2);
    }

    @Test
    void shouldSleepWhenNothingCame() throws Exception {
        assertThat(strategy.calculateStrategy(() -> 0, false)).isEqualTo(SelectStrategy.SELECT);
    }
}
