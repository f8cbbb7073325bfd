package io.lambdafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.CreateOptions;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.store.sql.server.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code lambdafs migrate} takes the metadata of a cluster of real processes through all engines and back: after each move the tree is whole, and
 * 10,000 random looks at it are answered as before. {@code -Dlambdafs.moves.seed=7} runs it, and makes the same looks.
 */
@EnabledIfSystemProperty(named = "lambdafs.moves.seed", matches = "[0-9]+")
class MoveTest {
    private static final List<String> WAY = List.of("ndb", "postgres", "ndb", "embedded");
    private static final int DIRECTORIES = 40;
    private static final int FILES = 2_000;
    private static final int LOOKS = 10_000;
    private static final int IN_FLIGHT = 64;
    private static final Path REPORT = Path.of("target", "moves", "report.txt");
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path directory;

    private final List<String> report = new ArrayList<>();

    @Test
    @Timeout(value = 14, unit = TimeUnit.MINUTES)
    void shouldFindTheSameAfterEachMove() throws Exception {
        assumeTrue(PostgresServer.programs().isPresent(), "PostgreSQL is not installed: there is no initdb");
        assumeTrue(
                Code.hasNdb() && System.getenv("NDB_HOME") != null,
                "MySQL NDB Cluster is not installed: CLUSTERJ_JAR and NDB_HOME do not name it");
        long seed = Long.getLong("lambdafs.moves.seed");
        ObjectNode keys = JsonNodeFactory.instance.objectNode().put("coordinator", "store");
        keys.putObject("store").put("ndbMemoryMb", 128);
        try (ClusterUnderTest cluster = ClusterUnderTest.start(directory, keys);
                LambdaFs client = LambdaFs.open(cluster.clientConfig())) {
            fill(client);
            List<String> before = looks(client, seed);
            long there =
                    before.stream().filter(each -> !each.startsWith("LFS-")).count();
            assertThat(there).as("looks at what is there, and at what is not").isBetween(LOOKS / 2L, LOOKS - 1L);
            for (String engine : WAY) {
                move(engine);
                assertThat(looks(client, seed))
                        .as("after the move to %s", engine)
                        .isEqualTo(before);
            }
        } finally {
            Files.createDirectories(REPORT.getParent());
            Files.write(REPORT, report);
        }
    }

    private static void fill(LambdaFs client) throws Exception {
        all(DIRECTORIES, i -> client.mkdirs(FsPath.of("/tree/" + i), 0750));
        all(FILES, i -> client.create(path(i), new byte[i % 700], CreateOptions.DEFAULT));
        all(DIRECTORIES, i -> client.setXattr(path(i), "user.number", new byte[i], true, false));
        all(
                DIRECTORIES / 4,
                i -> client.rename(
                        FsPath.of("/tree/" + 4 * i), FsPath.of("/tree/" + (4 * i + 1) + "/moved"), RenameMode.STRICT));
        all(DIRECTORIES, i -> client.delete(path(i * 7 + 2), false));
    }

    private static FsPath path(int file) {
        return FsPath.of("/tree/" + file % DIRECTORIES + "/file-" + file);
    }

    private static List<String> looks(LambdaFs client, long seed) throws Exception {
        Random random = new Random(seed);
        String[] answers = new String[LOOKS];
        all(LOOKS, i -> {
            int file = random.nextInt(FILES);
            FsPath path = random.nextInt(8) == 0 ? FsPath.of("/tree/" + file % DIRECTORIES) : path(file);
            return client.stat(path).handle((found, failure) -> {
                answers[i] = failure == null
                        ? found.toString()
                        : String.format(
                                Locale.ROOT,
                                "LFS-%d %s",
                                FsException.of(failure).code().number(),
                                path);
                return true;
            });
        });
        return List.of(answers);
    }

    private void move(String engine) throws Exception {
        CommandRun moved = CommandRun.lambdafs("migrate", "--to", engine, "--dir", directory, "--json");
        assertThat(moved.exit()).as("%s", moved).isZero();
        JsonNode told = JSON.readTree(moved.out());
        CommandRun checked = CommandRun.lambdafs("fsck", "--dir", directory, "--json");
        assertThat(checked.exit()).as("%s", checked).isZero();
        assertThat(JSON.readTree(checked.out()).path("inodes").asLong())
                .isEqualTo(told.path("inodes").asLong());
        report.add(String.format(
                Locale.ROOT,
                "to %s: %,d INodes, %,d rows compared, %.1f s, of which the cluster stood still for %.1f s; fsck finds nothing, and %,d looks are"
                        + " answered as before",
                engine,
                told.path("inodes").asLong(),
                told.path("rows").asLong(),
                told.path("seconds").asDouble(),
                told.path("secondsStopped").asDouble(),
                LOOKS));
    }

    /** Asks for all, some at once, and waits for the answers; one that is no success ends it. */
    private static void all(int count, IntFunction<CompletionStage<?>> ask) throws Exception {
        Semaphore room = new Semaphore(IN_FLIGHT);
        List<CompletableFuture<?>> asked = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            room.acquire();
            CompletableFuture<?> one = ask.apply(i).toCompletableFuture();
            asked.add(one);
            one.whenComplete((answer, failure) -> room.release());
        }
        CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new)).get();
    }
}
