package io.lambdafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.CreateOptions;
import io.lambdafs.client.metrics.ClientMetrics;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.Operation.RenameMode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A cluster whose instances are AWS Lambda's official Java runtime, asked by its Runtime API and frozen between any two invocations. */
class LambdaRuntimeTest {
    private static final int FILES = 20;

    @TempDir
    Path directory;

    @Test
    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    void shouldServeWithinInvocationsAndBeFrozenBetweenThem() throws Exception {
        try (ClusterUnderTest cluster = ClusterUnderTest.start(directory, LambdaSettings.of("lambda"));
                BlockingLambdaFs one = cluster.client();
                BlockingLambdaFs other = cluster.client()) {
            for (int i = 0; i < FILES; i++) {
                byte[] content = ("content " + i).getBytes(StandardCharsets.UTF_8);
                one.create(file(i), content, CreateOptions.DEFAULT);
                assertThat(other.read(file(i))).isEqualTo(content);
            }
            // Several at once, so that a deployment has several instances, none of which knows what the others did.
            List<CompletionStage<?>> burst = IntStream.range(0, 4 * FILES)
                    .<CompletionStage<?>>mapToObj(i -> other.async().stat(file(i % FILES)))
                    .toList();
            for (CompletionStage<?> each : burst) {
                BlockingLambdaFs.await(each);
            }
            for (int i = 0; i < FILES; i++) {
                FsPath moved = FsPath.of("/lambda/moved" + i);
                assertThat(one.rename(file(i), moved, RenameMode.STRICT)).isTrue();
                FsPath gone = file(i);
                assertThatThrownBy(() -> other.stat(gone))
                        .isInstanceOfSatisfying(
                                FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND));
                assertThat(other.stat(moved).name()).isEqualTo("moved" + i);
            }
            assertThat(cluster.instances()).hasSizeGreaterThanOrEqualTo(2);
            await().untilAsserted(() -> {
                for (ClusterUnderTest.LiveInstance each : cluster.instances()) {
                    assertThat(state(each.process()))
                            .as("state of an instance's process")
                            .isEqualTo('T');
                }
            });
            ClientMetrics.Snapshot counts = other.metrics().snapshot();
            assertThat(counts.tcp()).isZero();
            assertThat(counts.connections()).isZero();
        }
    }

    /** Called by Lambda's Invoke, signed; an invocation that nobody waits for stays, and serves by TCP. */
    @Test
    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    void shouldServeByTcpInInvocationsThatAreHeld() throws Exception {
        try (ClusterUnderTest cluster = ClusterUnderTest.start(directory, LambdaSettings.of("lambda-held"));
                BlockingLambdaFs client = cluster.client()) {
            for (int i = 0; i < FILES; i++) {
                client.create(file(i), new byte[] {1}, CreateOptions.DEFAULT);
            }
            await().untilAsserted(() -> {
                for (int i = 0; i < FILES; i++) {
                    assertThat(client.stat(file(i)).name()).isEqualTo("f" + i);
                }
                ClientMetrics.Snapshot counts = client.metrics().snapshot();
                assertThat(counts.connections())
                        .as("connections of held instances")
                        .isPositive();
                assertThat(counts.tcp()).as("requests by TCP").isGreaterThan(FILES);
                assertThat(counts.cacheHits())
                        .as("answers from a cache that lasts")
                        .isPositive();
            });
        }
    }

    private static FsPath file(int number) {
        return FsPath.of("/lambda/f" + number);
    }

    /** As the kernel has it: T where it was stopped. */
    private static char state(ProcessHandle process) throws IOException {
        String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
        return stat.charAt(stat.lastIndexOf(')') + 2);
    }
}
