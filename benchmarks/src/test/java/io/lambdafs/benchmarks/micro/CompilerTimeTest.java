package io.lambdafs.benchmarks.micro;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class CompilerTimeTest {
    private final ProcessHandle self = ProcessHandle.current();

    @Test
    void shouldBePartOfTheProcessesTime() {
        Map<ProcessHandle, Duration> times = CompilerTime.of(List.of(self));
        assertThat(times).containsOnlyKeys(self);
        assertThat(times.get(self))
                .isPositive()
                .isLessThan(self.info().totalCpuDuration().orElseThrow());
    }

    @Test
    void shouldKnowNothingOfWhatDoesNotCompile() throws Exception {
        Process sleeping = new ProcessBuilder("sleep", "60").start();
        try {
            assertThat(CompilerTime.of(List.of(sleeping.toHandle()))).isEmpty();
        } finally {
            sleeping.destroyForcibly();
            sleeping.waitFor();
        }
        assertThat(CompilerTime.of(List.of(sleeping.toHandle()))).isEmpty();
    }
}
