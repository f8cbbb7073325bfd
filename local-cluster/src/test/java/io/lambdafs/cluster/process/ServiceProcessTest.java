package io.lambdafs.cluster.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.cluster.settings.Machine;
import io.lambdafs.cluster.settings.Service;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Notes of processes, with real processes. */
class ServiceProcessTest {
    private static final Duration GRACE = Duration.ofSeconds(10);

    @TempDir
    private Path folder;

    private ClusterDirectory directory;
    private ServiceProcess service;
    private Process other;

    @BeforeEach
    void startAProcess() throws Exception {
        directory = new ClusterDirectory(folder.resolve("cluster"));
        directory.prepare();
        service = new ServiceProcess(directory, Service.STORE);
        other = new ProcessBuilder("/bin/sh", "-c", "exec sleep 300").start();
    }

    @AfterEach
    void endIt() {
        other.destroyForcibly();
    }

    private void note(String text) throws Exception {
        Files.writeString(directory.pid("store"), text);
    }

    private Instant started() {
        return other.toHandle().info().startInstant().orElseThrow();
    }

    @Test
    void shouldFindTheProcessThatWasNotedAndEndIt() throws Exception {
        note(other.pid() + " " + started() + "\n");
        assertThat(service.find()).map(ProcessHandle::pid).contains(other.pid());
        service.terminate();
        assertThat(service.awaitEnd(GRACE)).isTrue();
        other.waitFor();
        assertThat(service.isNoted()).isFalse();
    }

    @Test
    void shouldNotStartASecondProcessOverOneThatRuns() throws Exception {
        String noted = other.pid() + " " + started() + "\n";
        note(noted);
        ClusterSettings settings = ClusterSettings.defaults("root", Machine.own());
        assertThatThrownBy(() -> service.start(settings))
                .hasMessageContainingAll("store runs already", String.valueOf(other.pid()));
        assertThat(directory.pid("store")).as("still known").hasContent(noted);
    }

    @Test
    void shouldNotFindNorHarmAProcessThatGotThePidLater() throws Exception {
        note(other.pid() + " " + started().minusSeconds(3_600) + "\n");
        assertThat(service.find()).isEmpty();
        assertThat(service.isNoted()).isTrue();
        service.terminate();
        assertThat(service.awaitEnd(GRACE)).isTrue();
        assertThat(other.isAlive()).isTrue();
        assertThat(service.isNoted()).isFalse();
    }

    @Test
    void shouldNotFindAProcessThatHasEnded() throws Exception {
        String note = other.pid() + " " + started();
        other.destroyForcibly().waitFor();
        note(note);
        assertThat(service.find()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\n",
                "12",
                "x 2026-01-01T00:00:00Z",
                "-1 2026-01-01T00:00:00Z",
                "1 yesterday",
                "99999999999999999999 2026-01-01T00:00:00Z",
                // Whoever has this number is another user's process, or the machine's first.
                "1 2026-01-01T00:00:00Z"
            })
    void shouldTakeANoteThatMakesNoSenseForNobody(String text) throws Exception {
        note(text);
        assertThat(service.find()).isEmpty();
        service.terminate();
        assertThat(service.awaitEnd(GRACE)).isTrue();
    }

    @Test
    void shouldReadPortsThatMakeSenseOnly() throws Exception {
        assertThat(service.port()).isEmpty();
        for (String wrong : new String[] {"", "x", "0", "-5", "65536"}) {
            Files.writeString(directory.port("store"), wrong);
            assertThat(service.port()).as(wrong).isEmpty();
        }
        Files.writeString(directory.port("store"), "4711\n");
        assertThat(service.port()).hasValue(4711);
    }

    @Test
    void shouldShowTheEndOfALogWithoutStackTraces() throws Exception {
        assertThat(service.lastWords()).isEqualTo("(it left no log)");
        Files.writeString(
                directory.log("store"), "x\n".repeat(10_000) + "why\n\tat io.lambdafs.X.y(X.java:1)\n\nlast\n");
        assertThat(service.lastWords()).endsWith("why\n    last").doesNotContain("\tat ");
        assertThat(service.lastWords().lines()).hasSize(5);
    }
}
