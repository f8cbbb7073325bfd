package io.lambdafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.CreateOptions;
import io.lambdafs.client.config.ClientConfigBuilder;
import io.lambdafs.client.metrics.ClientMetrics;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.rpc.transports.TransportKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A cluster of real processes whose clients, and whose instances among themselves, speak over KryoNet. */
class KryoNetClusterTest {
    private static final int DIRECTORIES = 16;

    @TempDir
    Path directory;

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void shouldServeOverKryoNetAndClientsOfNettyToo() throws Exception {
        try (ClusterUnderTest cluster = ClusterUnderTest.start(
                directory,
                JsonNodeFactory.instance
                        .objectNode()
                        .put("transport", "kryonet")
                        .put("logLevel", "DEBUG"))) {
            try (BlockingLambdaFs client = cluster.client()) {
                assertThat(cluster.clientConfig().tcp().transport()).isEqualTo(TransportKind.KRYONET);
                readsWhatItWrites(client, "/kryonet");
                carriesLongListings(client);
                movesATreeThatEveryInstanceHasSeen(client);
                assertMostlyByTcp(client);
            }
            assertThat(log()).as("instances, for each other").containsPattern("listening on .* \\(kryonet\\)");
            await().untilAsserted(
                            () -> assertThat(log()).containsPattern("Connected to the client at .* \\(kryonet\\)"));
            try (BlockingLambdaFs other = BlockingLambdaFs.open(ClientConfigBuilder.discover(cluster.directory())
                    .transport(TransportKind.NETTY)
                    .build())) {
                readsWhatItWrites(other, "/netty");
                assertMostlyByTcp(other);
            }
            assertThat(log()).containsPattern("Connected to the client at .* \\(netty\\)");
        }
    }

    private static FsPath file(String root, int number) {
        return FsPath.of(root + "/d" + number % DIRECTORIES + "/f" + number);
    }

    private static void readsWhatItWrites(BlockingLambdaFs client, String root) throws InterruptedException {
        // Whoever is to be reached by TCP is known by then.
        for (int i = 0; i < 200; i++) {
            byte[] content = ("content " + i + "x".repeat(i * 100)).getBytes(StandardCharsets.UTF_8);
            client.create(file(root, i), content, CreateOptions.DEFAULT);
            assertThat(client.read(file(root, i))).isEqualTo(content);
        }
        List<CompletionStage<?>> burst = IntStream.range(0, 2_000)
                .<CompletionStage<?>>mapToObj(i -> client.async().stat(file(root, i % 200)))
                .toList();
        for (CompletionStage<?> each : burst) {
            BlockingLambdaFs.await(each);
        }
    }

    /** Replies of several hundred KiB, many of KryoNet's objects each. */
    private static void carriesLongListings(BlockingLambdaFs client) throws InterruptedException {
        FsPath wide = FsPath.of("/wide");
        List<CompletionStage<?>> all = IntStream.range(0, 3_000)
                .<CompletionStage<?>>mapToObj(i -> client.async()
                        .create(FsPath.of("/wide/" + "n".repeat(100) + i), new byte[0], CreateOptions.DEFAULT))
                .toList();
        for (CompletionStage<?> each : all) {
            BlockingLambdaFs.await(each);
        }
        for (int i = 0; i < 5; i++) {
            assertThat(client.list(wide)).toIterable().hasSize(3_000);
        }
    }

    /** Instances make each other drop their cached parts of the tree. */
    private static void movesATreeThatEveryInstanceHasSeen(BlockingLambdaFs client) throws InterruptedException {
        assertThat(client.rename(FsPath.of("/kryonet"), FsPath.of("/moved"), RenameMode.STRICT))
                .isTrue();
        for (int i = 0; i < DIRECTORIES; i++) {
            int number = i;
            Assertions.assertThatThrownBy(() -> client.stat(file("/kryonet", number)))
                    .isInstanceOfSatisfying(
                            FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND));
            assertThat(client.stat(file("/moved", number)).name()).isEqualTo("f" + number);
        }
    }

    private static void assertMostlyByTcp(BlockingLambdaFs client) {
        ClientMetrics.Snapshot counts = client.metrics().snapshot();
        assertThat(counts.tcp()).isGreaterThan(counts.http());
        assertThat(counts.connections()).isPositive();
    }

    /** Returns the logs of all instances. */
    private String log() throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.walk(directory.resolve("logs"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                all.append(Files.readString(file));
            }
        }
        return all.toString();
    }
}
