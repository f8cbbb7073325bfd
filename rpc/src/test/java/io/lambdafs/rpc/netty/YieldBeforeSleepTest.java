package io.lambdafs.rpc.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.SelectStrategy;
import org.junit.jupiter.api.Test;

class YieldBeforeSleepTest {
    private boolean messageIsNear;
    private final SelectStrategy strategy = new YieldBeforeSleep(() -> messageIsNear);

    @Test
    void shouldNotSleepWhenTasksWait() throws Exception {
        assertThat(strategy.calculateStrategy(() -> 0, true)).isZero();
        assertThat(strategy.calculateStrategy(() -> 3, true)).isEqualTo(3);
    }

    @Test
    void shouldNotSleepWhileAnAnswerIsNear() throws Exception {
        messageIsNear = true;
        for (int i = 0; i < 100; i++) {
            assertThat(strategy.calculateStrategy(() -> 0, false)).isZero();
        }
        assertThat(strategy.calculateStrategy(() -> 2, false)).isEqualTo(2);
        messageIsNear = false;
        assertThat(strategy.calculateStrategy(() -> 0, false)).isEqualTo(SelectStrategy.SELECT);
    }

    /** How often it looks again in so many times that it has nothing to do; each time it finds so many messages. */
    private int looks(int times, int found) throws Exception {
        int[] looked = new int[1];
        for (int i = 0; i < times; i++) {
            int before = looked[0];
            int next = strategy.calculateStrategy(
                    () -> {
                        looked[0]++;
                        return found;
                    },
                    false);
            assertThat(next).isEqualTo(looked[0] > before && found > 0 ? found : SelectStrategy.SELECT);
        }
        return looked[0];
    }

    @Test
    void shouldTryNowAndThenWhereNothingComes() throws Exception {
        assertThat(looks(320, 0)).isEqualTo(10);
    }

    @Test
    void shouldLookAgainEachTimeWhereItFindsMessages() throws Exception {
        looks(32, 3);
        assertThat(looks(100, 3)).isEqualTo(100);
    }

    @Test
    void shouldStopWhenNothingCameForAWhile() throws Exception {
        looks(100, 1);
        assertThat(looks(32, 0)).isEqualTo(32);
        assertThat(looks(31, 0)).isZero();
    }
}
