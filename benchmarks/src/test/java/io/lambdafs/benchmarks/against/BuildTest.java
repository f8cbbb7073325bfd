package io.lambdafs.benchmarks.against;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lambdafs.cluster.terminal.CommandFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuildTest {
    @TempDir
    private Path folder;

    /** A command that is told to end stops its clusters; a measurement left behind would disturb the next for a minute. */
    @Test
    void shouldEndTheMeasurementThatIsUnderWayWhenStopped() throws Exception {
        Path begun = folder.resolve("begun");
        Path launcher = Files.writeString(folder.resolve("lambdafs"), """
                #!/usr/bin/env bash
                touch "%s"
                exec sleep 60
                """.formatted(begun));
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwx------"));
        Build build = new Build(launcher, folder);
        CompletableFuture<Void> measured = CompletableFuture.runAsync(() -> {
            try {
                build.measure(List.of());
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        await("for the measurement to begin").until(() -> Files.exists(begun));
        build.stop();
        assertThatThrownBy(measured::join)
                .hasCauseInstanceOf(CommandFailure.class)
                .hasMessageContaining("ended with 143");
    }
}
