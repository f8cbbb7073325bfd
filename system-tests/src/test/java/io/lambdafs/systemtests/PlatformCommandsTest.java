package io.lambdafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cli.Main;
import io.lambdafs.cluster.terminal.CommandRun;
import io.lambdafs.systemtests.PlatformStandIn.Pages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every command on a cluster whose functions a platform calls that has its own pages and no other; the client's directory is deploy's. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PlatformCommandsTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    static Path folder;

    private ClusterUnderTest cluster;
    private Path client;

    @BeforeAll
    @Timeout(value = 4, unit = TimeUnit.MINUTES)
    void start() {
        ObjectNode settings = JsonNodeFactory.instance
                .objectNode()
                .put("deployments", 2)
                .put("coordinator", "store")
                .put("inv", "relayed");
        cluster = ClusterUnderTest.start(folder.resolve("cluster"), settings);
    }

    @AfterAll
    void stop() {
        cluster.close();
    }

    private CommandRun run(Object... words) {
        return CommandRun.of(Main::run, words);
    }

    /** Runs a command on the client's directory, which must succeed; returns what it prints. */
    private String done(String line, Object... more) {
        List<Object> words = new ArrayList<>(List.of(line.split(" ")));
        words.addAll(List.of("--dir", client));
        words.addAll(List.of(more));
        CommandRun run = run(words.toArray());
        assertThat(run.exit()).as("%s: %s", words, run).isZero();
        return run.out();
    }

    /** Asserts that info tells of the file of 300,000 bytes, of its directory, and of a missing path. */
    private void shouldInform(String home) throws IOException {
        JsonNode file = JSON.readTree(done("info", home + "/large", "--json"));
        JsonNode block = file.path("blocks").path(0);
        assertThat(file.path("bytes").asLong()).isEqualTo(300_000);
        assertThat(file.path("blocks")).hasSize(1);
        assertThat(block.path("bytes").asLong()).isEqualTo(300_000);
        assertThat(block.path("datanodes")).hasSize(1);
        assertThat(file.path("servedBy").asInt())
                .isEqualTo(JSON.readTree(done("info", home, "--json"))
                        .path("childrenServedBy")
                        .asInt());
        assertThat(done("info", home))
                .containsPattern("type +directory\\R")
                .containsPattern("mode +0755\\R")
                .containsPattern("children +1\\R");
        assertThat(done("info", home + "/large"))
                .contains("  id " + block.path("id").asLong());
        CommandRun absent = run("info", "--dir", client, home + "/absent");
        assertThat(absent.exit()).isEqualTo(1);
        assertThat(absent.err()).contains("LFS-101", home + "/absent");
    }

    /** Asserts that a snapshot of a directory keeps its file of some bytes, which is removed and comes back. */
    private void shouldKeepInSnapshots(String home, byte[] content) throws IOException {
        done("snapshot allow", home);
        done("snapshot create", home, "first");
        assertThat(done("snapshot list", home)).containsPattern("\\d{4}-.*Z  " + home + "/.snapshot/first");
        assertThat(JSON.readTree(done("snapshot list", home, "--json"))
                        .at("/snapshots/0/path")
                        .asText())
                .isEqualTo(home + "/.snapshot/first");
        done("snapshot rename", home, "first", "kept");
        fs("-rm", "-skipTrash", home + "/large");
        Path back = folder.resolve("kept" + home);
        Files.createDirectories(back.getParent());
        fs("-get", home + "/.snapshot/kept/large", back);
        assertThat(back).hasBinaryContent(content);
        fs("-cp", home + "/.snapshot/kept/large", home + "/large");
        assertThat(done("snapshot diff", home, "kept")).contains("M\t.", "-\t./large", "+\t./large");
        assertThat(JSON.readTree(done("snapshot diff", home, "kept", "kept", "--json"))
                        .at("/differences"))
                .isEmpty();
        CommandRun twice = run("snapshot", "create", "--dir", client, home, "kept");
        assertThat(twice.exit()).isEqualTo(1);
        assertThat(twice.err()).contains("there is already a snapshot with the same name \"kept\"");
        done("snapshot delete", home, "kept");
        assertThat(done("snapshot list", home)).isEmpty();
        done("snapshot forbid", home);
    }

    private String fs(Object... more) {
        List<Object> words = new ArrayList<>(List.of("fs", "--dir", client));
        words.addAll(List.of(more));
        CommandRun run = run(words.toArray());
        assertThat(run.exit()).as("%s: %s", words, run).isZero();
        return run.out();
    }

    /** Deploys through a platform's pages, or as if by others' API, and makes the client's directory. */
    private void deploy(PlatformStandIn platform, Pages pages) throws Exception {
        Path root = cluster.directory();
        client = folder.resolve("client-" + pages);
        String apihost = (pages == Pages.OPENWHISK
                        ? platform.address()
                        : cluster.clientConfig().gateway())
                .toString();
        CommandRun deployed = run(
                "deploy",
                "--dir",
                client,
                "--platform",
                "openwhisk",
                "--cluster",
                "on-" + pages.name().toLowerCase(Locale.ROOT),
                "--auth-file",
                root.resolve("managementkey"),
                "--apihost",
                apihost,
                "--function",
                root.resolve("conf").resolve("function.json"),
                "--option",
                "kind=java:namenode",
                "--concurrency",
                4);
        assertThat(deployed.exit()).as("%s", deployed).isZero();
        if (pages == Pages.OPENWHISK) {
            return;
        }
        Files.delete(client.resolve("deployment.json"));
        Path file = client.resolve("client.json");
        ObjectNode config = (ObjectNode) JSON.readTree(file.toFile());
        config.put("gateway", platform.address().toString());
        if (pages == Pages.LAMBDA) {
            config.put("api", "lambda")
                    .put("tcp", false)
                    .putObject("apiOptions")
                    .put("region", "local");
        } else {
            config.put("api", "http").put("functionUrl", platform.address() + "/{function}/");
        }
        Files.writeString(file, config.toString());
    }

    @ParameterizedTest
    @EnumSource
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void shouldWorkOnAPlatform(Pages pages) throws Exception {
        String key =
                Files.readString(cluster.directory().resolve("managementkey")).strip();
        // Each has a file system of its own, not the one before's.
        FileSystem.closeAll();
        try (PlatformStandIn platform =
                new PlatformStandIn(pages, cluster.clientConfig().gateway(), key)) {
            deploy(platform, pages);
            Path large = folder.resolve("large");
            byte[] content = new byte[300_000];
            new Random(53).nextBytes(content);
            Files.write(large, content);
            String home = "/" + pages;
            fs("-mkdir", home);
            fs("-put", large, home + "/large");
            assertThat(fs("-ls", home)).contains(home + "/large");
            Path back = folder.resolve("back-" + pages);
            fs("-get", home + "/large", back);
            assertThat(back).hasBinaryContent(content);
            shouldInform(home);
            shouldKeepInSnapshots(home, content);

            Path tree = Files.createDirectories(folder.resolve("tree"));
            Files.writeString(tree.resolve("small"), "small");
            String report = done(
                    "replay",
                    "--tree",
                    tree,
                    "--base-ops",
                    20,
                    "--seconds",
                    3,
                    "--report",
                    folder.resolve("report-" + pages),
                    "--json");
            assertThat(JSON.readTree(report).path("failed").asLong()).as(report).isZero();

            assertThat(done("cluster status")).contains("gateway", "store", "instances: ");
            assertThat(done("datanode list")).contains("datanode-1", "1 datanode");
            assertThat(done("upgrade")).contains("the newest of this build");
            assertThat(done("fsck")).contains("it is whole");
            assertThat(done("dump", folder.resolve("dump-" + pages))).contains("dumped ");
            assertThat(done("blocks report")).contains("of 256 buckets");
            Path blocks = cluster.directory().resolve("blocks");
            assertThat(done("blocks check", "--blocks", blocks)).contains("all there");
            assertThat(done("gc", "--dry-run", "--blocks", blocks)).contains("no file needs");
            assertThat(done("doctor", "--accept", "quota,pause,rate,concurrency"))
                    .contains("takes connections", "datanode-1 was heard of", "no fault found");
            assertThat(platform.refused()).isEmpty();
        }
    }
}
