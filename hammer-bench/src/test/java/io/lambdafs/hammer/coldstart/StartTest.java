package io.lambdafs.hammer.coldstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StartTest {
    @Test
    void shouldSplitAColdStart() {
        Start start = new Start(1_000, 91_000, 211_000, 251_500, 300_000);
        assertThat(start.isPrewarmed()).isFalse();
        assertThat(start.millis(Step.PROCESS)).isEqualTo(90);
        assertThat(start.millis(Step.WIRING)).isEqualTo(120);
        assertThat(start.millis(Step.INITIALISATION)).isEqualTo(40.5);
        assertThat(start.millis(Step.FIRST_REPLY)).isEqualTo(48.5);
        assertThat(start.millis(Step.TOTAL)).isEqualTo(299);
    }

    @Test
    void shouldCountAPrewarmedStartFromTheCall() {
        Start start = new Start(500_000, 91_000, 211_000, 506_000, 515_000);
        assertThat(start.isPrewarmed()).isTrue();
        assertThat(start.millis(Step.INITIALISATION)).isEqualTo(6);
        assertThat(start.millis(Step.FIRST_REPLY)).isEqualTo(9);
        assertThat(start.millis(Step.TOTAL)).isEqualTo(15);
    }

    @Test
    void shouldTakeTheMomentsFromTheInstancesPage() throws Exception {
        String page =
                "{\"status\":\"ready\",\"startMicros\":{\"main\":2,\"listening\":3,\"initialised\":4,\"joined\":5}}";
        assertThat(Start.of(1, new ObjectMapper().readTree(page), 6)).isEqualTo(new Start(1, 2, 3, 4, 6));
    }

    @ParameterizedTest
    @CsvSource({
        "10, 0, 0, 0, 20", // nothing is known
        "10, 5, 12, 14, 20", // called while it started: neither the one nor the other
        "10, 12, 11, 14, 20",
        "10, 12, 14, 13, 20",
        "10, 12, 14, 16, 15",
        "10, 2, 4, 9, 20" // initialised before the call: it was warm
    })
    void shouldNotTakeAnythingElseForAStart(long called, long main, long listening, long initialised, long replied) {
        Start start = new Start(called, main, listening, initialised, replied);
        assertThatThrownBy(start::isPrewarmed).isInstanceOf(IllegalStateException.class);
    }
}
