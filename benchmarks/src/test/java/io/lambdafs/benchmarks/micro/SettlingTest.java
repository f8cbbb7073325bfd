package io.lambdafs.benchmarks.micro;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettlingTest {
    @ParameterizedTest
    @CsvSource({
        "12, 100 200 300 310 305, 5",
        "12, 100 90 200 205 201, 5",
        "12, 100 101 102, 3",
        "3,  100 200 300, 3",
        "1,  100, 1"
    })
    void shouldEndWithTheSecondPassThatIsHardlyFasterOrWithTheLast(int most, String rates, int passes) {
        Settling settling = new Settling(most);
        int count = 0;
        boolean over = false;
        for (String rate : rates.split(" ", -1)) {
            assertThat(over).isFalse();
            over = settling.isOver(Double.parseDouble(rate), Double.NaN);
            count++;
        }
        assertThat(over).isTrue();
        assertThat(count).isEqualTo(passes);
    }

    @Test
    void shouldGoOnWhileItCompiles() {
        Settling settling = new Settling(12);
        assertThat(settling.isOver(100, 0.3)).isFalse();
        assertThat(settling.isOver(90, 0.2)).isFalse();
        assertThat(settling.isOver(95, 0.1)).isFalse();
        assertThat(settling.isOver(99, 0.02)).isFalse();
        assertThat(settling.isOver(98, 0.02)).isTrue();
    }
}
