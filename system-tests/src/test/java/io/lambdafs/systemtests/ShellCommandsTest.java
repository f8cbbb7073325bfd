package io.lambdafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cli.Main;
import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.CreateOptions;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.client.config.ClientConfigBuilder;
import io.lambdafs.cluster.terminal.CommandRun;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.store.format.FormatLevel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands that tell an operator about the content and the load of a cluster, on one of real processes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ShellCommandsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final FsPath FILE = FsPath.of("/counted/a");
    private static final Duration LIFE = Duration.ofDays(10);

    @TempDir
    static Path folder;

    private ClusterUnderTest cluster;

    @BeforeAll
    void start() {
        ObjectNode settings =
                JsonNodeFactory.instance.objectNode().put("deployments", 2).put("coordinator", "store");
        settings.putObject("instance").put("trashMinutes", LIFE.toMinutes());
        settings.putObject("blocks").put("datanodes", 0);
        cluster = ClusterUnderTest.start(folder.resolve("cluster"), settings);
    }

    @AfterAll
    void stop() {
        cluster.close();
    }

    private CommandRun run(Path directory, String line) {
        List<Object> words = new ArrayList<>(List.of(line.split(" ")));
        words.addAll(List.of("--dir", directory));
        return CommandRun.of(Main::run, words.toArray());
    }

    /** Runs a command that must succeed. */
    private CommandRun done(String line) {
        CommandRun run = run(cluster.directory(), line);
        assertThat(run.exit()).as("%s: %s", line, run).isZero();
        return run;
    }

    private static String checkpoint(Instant made) {
        return DateTimeFormatter.ofPattern("yyMMddHHmmss").format(made.atZone(ZoneId.systemDefault()));
    }

    /** Moves a file of some bytes to the trash. */
    private static void throwAway(BlockingLambdaFs fs, String place, int bytes) throws InterruptedException {
        fs.create(FsPath.of("/user/ann/.Trash/" + place), new byte[bytes], CreateOptions.DEFAULT);
    }

    /** The entries of the trash by name, with what is told of each. */
    private Map<String, JsonNode> trash() throws Exception {
        Map<String, JsonNode> entries = new TreeMap<>();
        JsonNode told = JSON.readTree(done("trash list --json").out());
        told.path("trash").forEach(each -> {
            String path = each.path("path").asText();
            assertThat(each.path("user").asText()).isEqualTo("ann");
            assertThat(path).startsWith("/user/ann/.Trash/");
            entries.put(path.substring(path.lastIndexOf('/') + 1), each);
        });
        return entries;
    }

    @Test
    void shouldListTheTrashAndPurgeWhatIsAskedFor() throws Exception {
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        Instant before = now.minus(Duration.ofDays(3));
        Instant lately = now.minus(Duration.ofMinutes(100));
        String old = checkpoint(before);
        String young = checkpoint(lately);
        try (BlockingLambdaFs fs = cluster.client()) {
            fs.mkdirs(FsPath.of("/user/bob"), 0755);
            throwAway(fs, old + "/d/a", 10);
            throwAway(fs, old + "/b", 20);
            throwAway(fs, young + "/c", 5);
            throwAway(fs, "Current/e", 1);
            throwAway(fs, "notes/n", 2);
            fs.setPermission(FsPath.of("/user/ann/.Trash"), 0700);
        }
        Map<String, JsonNode> entries = trash();
        assertThat(entries).containsOnlyKeys(old, young, "Current", "notes");
        JsonNode first = entries.get(old);
        assertThat(first.path("files").asLong()).isEqualTo(2);
        assertThat(first.path("directories").asLong()).isEqualTo(2);
        assertThat(first.path("bytes").asLong()).isEqualTo(30);
        assertThat(first.path("made").asText()).isEqualTo(before.toString());
        assertThat(first.path("ageSeconds").asLong())
                .isGreaterThanOrEqualTo(Duration.ofDays(3).toSeconds());
        assertThat(first.path("purged").asText()).isEqualTo(before.plus(LIFE).toString());
        assertThat(entries.get("Current").path("purged").asText())
                .as("a checkpoint once the last one is gone")
                .isEqualTo(lately.plus(LIFE).plus(LIFE).toString());
        assertThat(entries.get("notes").has("purged")).isFalse();
        assertThat(done("trash list --user ann")
                        .out()
                        .lines()
                        .map(line -> line.strip().replaceAll(" +", " ")))
                .hasSize(5)
                .anyMatch(line -> line.startsWith("ann " + old + " 2 30 ") && line.contains(" 3d 20"))
                .anyMatch(line -> line.startsWith("ann Current 1 1 ") && line.contains(" - 20"))
                .anyMatch(line -> line.startsWith("ann notes ") && line.endsWith(" - never"));
        assertThat(done("trash list --user bob").out().lines()).hasSize(1);
        shouldHideWhatAnotherUserMayNotList();

        CommandRun asked = done("trash purge --older-than 2d");
        assertThat(asked.out()).contains(old).doesNotContain(young);
        assertThat(asked.err()).contains("nothing was removed");
        assertThat(trash()).hasSize(4);
        assertThat(done("trash purge --older-than 2d --yes").out()).startsWith("removed: 1, with 2 files");
        assertThat(trash()).containsOnlyKeys(young, "Current", "notes");
        assertThat(done("trash purge --user bob --current --yes").out()).startsWith("removed: 0,");
        assertThat(done("trash purge --yes").out()).startsWith("removed: 1,");
        assertThat(trash()).containsOnlyKeys("Current", "notes");
        assertThat(run(cluster.directory(), "trash purge --current --older-than 2d")
                        .exit())
                .isEqualTo(2);
        assertThat(done("trash purge --current --yes").out()).startsWith("removed: 1,");
        assertThat(trash()).containsOnlyKeys("notes");
    }

    private void shouldHideWhatAnotherUserMayNotList() throws Exception {
        CommandRun run = runAs("carl", "trash list");
        assertThat(run.exit()).as("%s", run).isZero();
        assertThat(run.out().lines()).hasSize(1);
        assertThat(run.err()).contains("users whose trash you may not list: 1");
        assertThat(runAs("carl", "trash purge --user ann --yes").err()).contains("PERMISSION_DENIED");
    }

    /** Runs a command as a user, with a client's directory that has nothing else of the cluster. */
    private CommandRun runAs(String user, String line) throws Exception {
        Path client = Files.createDirectories(folder.resolve("client"));
        for (String file : List.of("secret", "apikey", "client.json")) {
            Files.copy(cluster.directory().resolve(file), client.resolve(file), StandardCopyOption.REPLACE_EXISTING);
        }
        String self = System.setProperty("user.name", user);
        try {
            return run(client, line);
        } finally {
            System.setProperty("user.name", self);
        }
    }

    /** Runs a command while ann looks at a file, and this process's user lists the root, all the time. */
    private JsonNode whileBusy(String line) throws Exception {
        ClientConfig ann = ClientConfigBuilder.load(cluster.directory().resolve("client.json"))
                .user("ann")
                .build();
        AtomicBoolean ended = new AtomicBoolean();
        ExecutorService users = Executors.newFixedThreadPool(2);
        try (BlockingLambdaFs mine = cluster.client();
                BlockingLambdaFs hers = BlockingLambdaFs.open(ann)) {
            Future<?> stats = users.submit(() -> repeat(ended, () -> hers.stat(FILE)));
            Future<?> lists = users.submit(() -> repeat(ended, () -> mine.list(FsPath.ROOT, "", 10)));
            JsonNode told = JSON.readTree(done(line).out());
            ended.set(true);
            stats.get();
            lists.get();
            return told;
        } finally {
            ended.set(true);
            users.shutdownNow();
        }
    }

    private static Void repeat(AtomicBoolean ended, Callable<?> step) throws Exception {
        while (!ended.get()) {
            step.call();
        }
        return null;
    }

    @Test
    void shouldShowWhatTheFileSystemHoldsAndDoes() throws Exception {
        try (BlockingLambdaFs fs = cluster.client()) {
            fs.create(FILE, new byte[7], CreateOptions.DEFAULT.withOverwrite(true));
            JsonNode told = whileBusy("stats --json");
            Reply.Totals totals = BlockingLambdaFs.await(fs.async().usage(FsPath.ROOT));
            assertThat(totals.bytes()).isGreaterThanOrEqualTo(7);
            assertThat(told.path("files").asLong()).isEqualTo(totals.files());
            assertThat(told.path("directories").asLong()).isEqualTo(totals.directories());
            assertThat(told.path("bytes").asLong()).isEqualTo(totals.bytes());
            assertThat(told.path("space").asLong()).isEqualTo(totals.space());
            assertThat(told.path("formatLevel").asInt()).isEqualTo(FormatLevel.NEWEST.number());
            assertThat(told.path("instances").findValuesAsText("0")).isNotEmpty();
            assertThat(told.path("opsPerSecondByKind").path("stat").asDouble()).isPositive();
            assertThat(told.path("opsPerSecondByKind").path("list_page").asDouble())
                    .isPositive();
            assertThat(told.path("opsPerSecond").asDouble())
                    .isGreaterThanOrEqualTo(
                            told.path("opsPerSecondByKind").path("stat").asDouble());
            assertThat(told.path("hitRatio").asDouble()).isBetween(0.3, 1.0);
        }
        assertThat(done("stats").out())
                .containsPattern("files +[1-9]")
                .containsPattern("format level +" + FormatLevel.NEWEST.number() + "\\R")
                .containsPattern("instances +[1-9].*deployment [01]: [1-9]")
                .containsPattern("operations/s +[0-9]")
                .containsPattern("cache hits so far +[0-9.]+ %");
        CommandRun elsewhere = runAs("carl", "stats");
        assertThat(elsewhere.exit()).as("%s", elsewhere).isZero();
        assertThat(elsewhere.out()).contains("files ").doesNotContain("operations/s", "format level");
        assertThat(elsewhere.err()).contains("does not say where the cluster's store is");
    }

    @Test
    void shouldShowWhoDoesWhat() throws Exception {
        try (BlockingLambdaFs fs = cluster.client()) {
            fs.create(FILE, new byte[7], CreateOptions.DEFAULT.withOverwrite(true));
        }
        JsonNode told = whileBusy("top --json");
        String self = System.getProperty("user.name");
        assertThat(told.path("users").path("ann").asDouble()).isPositive();
        assertThat(told.path("users").path(self).asDouble()).isPositive();
        assertThat(told.path("kindsByUser").path("ann").has("stat")).isTrue();
        assertThat(told.path("kindsByUser").path("ann").has("list_page")).isFalse();
        assertThat(told.path("kindsByUser").path(self).has("list_page")).isTrue();
        assertThat(told.path("kinds").path("stat").asDouble()).isPositive();
        assertThat(done("top --once").out()).contains("operations/s, over 2 s", "user", "kind");
        assertThat(runAs("carl", "top --once").err()).contains("no management API");
    }
}
