package io.lambdafs.hammer.scale;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessorTimeTest {
    @Test
    void shouldAddUpWhatTheProcessorsDid() {
        assertThat(ProcessorTime.parse("cpu  1000 200 30 99999 88888 4 5 77777 0 0"))
                .isEqualTo(12.39);
    }

    @Test
    void shouldKnowNothingWhereTheSystemDoesNotTell() {
        assertThat(ProcessorTime.parse("intr 1 2 3")).isNaN();
        assertThat(ProcessorTime.parse("cpu 1 2")).isNaN();
    }
}
