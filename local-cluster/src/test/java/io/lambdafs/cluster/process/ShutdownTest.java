package io.lambdafs.cluster.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.settings.Service;
import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The end of services and the wait for their start, with a process of the system in a service's place. */
class ShutdownTest {
    @TempDir
    private Path folder;

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final Console console = new Console(
            new PrintStream(said, true, StandardCharsets.UTF_8),
            new PrintStream(said, true, StandardCharsets.UTF_8),
            0);
    private ClusterDirectory directory;
    private ServiceProcess store;
    private Process process;

    @BeforeEach
    void start() throws Exception {
        directory = new ClusterDirectory(folder.resolve("cluster"));
        directory.prepare();
        store = new ServiceProcess(directory, Service.STORE);
        process = new ProcessBuilder("/bin/sh", "-c", "exec sleep 300").start();
        Files.writeString(
                directory.pid("store"),
                process.pid() + " " + process.toHandle().info().startInstant().orElseThrow());
    }

    @AfterEach
    void end() {
        process.destroyForcibly();
    }

    private String said() {
        return said.toString(StandardCharsets.UTF_8);
    }

    @Test
    void shouldTellWhetherAnythingRan() throws Exception {
        Shutdown shutdown = new Shutdown(console);
        ServiceProcess gateway = new ServiceProcess(directory, Service.GATEWAY);
        assertThat(shutdown.stop(List.of(gateway, store))).isTrue();
        process.waitFor();
        assertThat(store.isNoted()).isFalse();
        assertThat(shutdown.stop(List.of(gateway, store))).isFalse();
        assertThat(said()).isEmpty();
    }

    @Test
    void shouldStopTheGatewayAndDatanodesBeforeWhatTheyUse() {
        assertThat(List.of(Service.GATEWAY, Service.datanode(1))).allMatch(Shutdown::isFirst);
        assertThat(List.of(Service.STORE, Service.ZOOKEEPER, Service.POSTGRES)).noneMatch(Shutdown::isFirst);
    }

    @Test
    void shouldEndByForceWhatDoesNotEndInTime() throws Exception {
        assertThat(store.awaitEnd(Duration.ofMillis(1))).as("in order").isFalse();
        process.waitFor();
        assertThat(process.exitValue()).as("killed").isEqualTo(128 + 9);
        assertThat(store.isNoted()).isFalse();
    }

    @Test
    void shouldTellThePortOfWhatIsReady() throws Exception {
        Files.writeString(directory.port("store"), "4711\n");
        new Readiness(console).await(store);
        assertThat(said()).matches("  store     ready after [0-9.]+ s, port 4711\n");
    }

    @Test
    void shouldNotAwaitWhatHasEnded() throws Exception {
        process.destroyForcibly().waitFor();
        Files.writeString(directory.log("store"), "no room left\n");
        Readiness readiness = new Readiness(console);
        assertThatThrownBy(() -> readiness.await(store))
                .isInstanceOfSatisfying(
                        CommandFailure.class, e -> assertThat(e.exit()).isEqualTo(ExitCode.FAILED))
                .hasMessage("store ended while it started; it said:\n    no room left");
        assertThat(said()).isEmpty();
    }

    @Test
    void shouldShowThatItAwaitsWhatIsAlive() {
        Readiness readiness = new Readiness(console);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> readiness.await(store)).hasMessage("interrupted while store started");
        assertThat(Thread.interrupted()).as("still to be noticed").isTrue();
        assertThat(said()).matches("  starting store … [0-9.]+ s\n");
    }
}
