package io.lambdafs.hammer.tail;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
final class FreezerTest {
    private final Process first = sleeper();
    private final Process second = sleeper();

    private static Process sleeper() {
        try {
            return new ProcessBuilder("sleep", "600").start();
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @AfterEach
    void end() {
        first.destroyForcibly();
        second.destroyForcibly();
    }

    private static boolean stands(Process process) throws Exception {
        String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
        return stat.substring(stat.lastIndexOf(')') + 2).startsWith("T");
    }

    @Test
    void shouldStopOneAfterTheOtherAndLetThemGoOn() throws Exception {
        boolean firstStood = false;
        boolean secondStood = false;
        Freezer freezer = new Freezer(List.of(first.pid(), second.pid()), Duration.ofMillis(60), Duration.ofMillis(30));
        try (freezer) {
            long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (!(firstStood && secondStood) && System.nanoTime() < until) {
                firstStood |= stands(first);
                secondStood |= stands(second);
            }
        }
        assertThat(firstStood).isTrue();
        assertThat(secondStood).isTrue();
        assertThat(freezer.stops()).isGreaterThanOrEqualTo(2);
        assertThat(stands(first)).isFalse();
        assertThat(stands(second)).isFalse();
    }
}
