package io.lambdafs.datanode.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SharesTest {
    private final Shares shares = new Shares(100);

    @Test
    void shouldLeaveSomeForWhoComesLate() {
        int first = 0;
        while (shares.take(1, 1)) {
            first++;
        }
        assertThat(first).isEqualTo(75);

        int second = 0;
        while (shares.take(2, 1)) {
            second++;
        }
        assertThat(second).isEqualTo(25);
        assertThat(shares.free()).isZero();
        assertThat(shares.take(3, 1)).isFalse();
    }

    @Test
    void shouldTakeAgainWhatWasGivenBack() {
        assertThat(shares.take(1, 60)).isTrue();
        assertThat(shares.take(1, 41)).isFalse();

        shares.giveBack(1, 60);

        assertThat(shares.take(1, 75)).isTrue();
        shares.giveBack(1, 70);
        assertThat(shares.take(1, 70)).isTrue();
        assertThat(shares.free()).isEqualTo(25);
    }

    @Test
    void shouldDivideTheLastQuarterByThoseWhoUseIt() {
        assertThat(shares.take(1, 40)).isTrue();
        assertThat(shares.take(2, 35)).isTrue();
        assertThat(shares.take(1, 1)).isFalse();
        assertThat(shares.take(3, 20)).isTrue();
    }

    @Test
    void shouldCountWhatAUserKeepsOfWhatItHad() {
        assertThat(shares.take(1, 60)).isTrue();
        shares.giveBack(1, 10);
        assertThat(shares.take(2, 25)).isTrue();

        assertThat(shares.take(1, 1)).isFalse();
        assertThat(shares.take(2, 8)).isTrue();
        assertThat(shares.take(2, 1)).isFalse();
    }

    @Test
    void shouldNotDivideByUsersThatGaveEverythingBack() {
        shares.take(1, 10);
        shares.giveBack(1, 10);
        assertThat(shares.take(2, 40)).isTrue();
        assertThat(shares.take(3, 35)).isTrue();

        assertThat(shares.take(4, 26)).isFalse();
        assertThat(shares.take(4, 25)).isTrue();
    }
}
