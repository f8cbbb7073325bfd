package io.lambdafs.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.lambdafs.cli.Main;
import io.lambdafs.cluster.ServedStore;
import io.lambdafs.cluster.terminal.CommandRun;
import io.lambdafs.functions.namenode.Formatter;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.DatanodeAddress;
import io.lambdafs.model.block.ObjectKey;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import io.lambdafs.store.block.Datanode;
import io.lambdafs.store.block.StoredBlock;
import io.lambdafs.store.format.FormatLevel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An operator's commands on a cluster that runs elsewhere: its store is reached at its address, and its platform's gateway has no page of λFS.
 */
class ElsewhereTest {
    private static final String NAMED = ObjectKey.of(1, 1, 1);
    private static final String ORPHAN = ObjectKey.of(2, 1, 1);

    @TempDir
    private Path folder;

    private ServedStore served;
    private HttpServer platform;
    private Path client;
    private Path secret;
    private Path blocks;

    @BeforeEach
    void serve() throws Exception {
        client = Files.createDirectory(folder.resolve("client"));
        secret = folder.resolve("cluster-secret");
        served = new ServedStore(secret);
        platform = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 8);
        platform.createContext("/", exchange -> {
            exchange.sendResponseHeaders(404, -1);
            exchange.close();
        });
        platform.start();
        Formatter.format(served.store(), 3, "root", 1).toCompletableFuture().join();
        StoredBlock block =
                new StoredBlock(1_000, 0, new Block(1, 1, 5, 0), "blocks", NAMED, StoredBlock.State.WRITTEN);
        served.put(
                block.row(),
                new Row(Schema.SETTINGS.key("cluster"), "a-cluster"),
                new Datanode(
                                new DatanodeAddress("datanode-0", "10.0.0.9", 7100),
                                "blocks",
                                Datanode.State.SERVING,
                                1_000,
                                900,
                                System.currentTimeMillis())
                        .row(),
                new Row(Rows.instanceKey(7), 2L, "pod-7", 1L, (long) FormatLevel.NEWEST.number()),
                new Row(Rows.epochKey(7), 2L));
        blocks = folder.resolve("objects");
        file("lambdafs-cluster", "a-cluster");
        file(NAMED, "named");
        file(ORPHAN, "nothing names it");
        Files.writeString(
                client.resolve("client.json"),
                "{\"schema\":1,\"gateway\":\"http://127.0.0.1:"
                        + platform.getAddress().getPort() + "\",\"deployments\":3,\"secretFile\":\"" + secret + "\"}");
        Files.writeString(
                client.resolve("cluster.json"),
                "{\"deployments\":3,\"store\":{\"address\":\"" + served.address() + "\"}}");
    }

    @AfterEach
    void close() {
        platform.stop(0);
        served.close();
    }

    private void file(String key, String content) throws Exception {
        Path object = blocks.resolve(key);
        Files.createDirectories(object.resolveSibling(""));
        Files.writeString(object, content);
    }

    private CommandRun run(String line, Object... more) {
        List<Object> words = new ArrayList<>(List.of(line.split(" ")));
        words.addAll(List.of(more));
        return CommandRun.of(Main::run, words.toArray());
    }

    /** By the client's directory, and by the store's address and secret alone. */
    private List<CommandRun> both(String line, Object... more) {
        List<Object> byDirectory = new ArrayList<>(List.of("--dir", client));
        List<Object> byAddress = new ArrayList<>(List.of("--store", served.address(), "--secret-file", secret));
        byDirectory.addAll(List.of(more));
        byAddress.addAll(List.of(more));
        return List.of(run(line, byDirectory.toArray()), run(line, byAddress.toArray()));
    }

    private static void assertDone(List<CommandRun> runs, String... said) {
        for (CommandRun each : runs) {
            assertThat(each.exit()).as("%s", each).isZero();
            assertThat(each.out()).contains(said);
        }
    }

    @Test
    void shouldListAndDrainDatanodes() {
        assertDone(both("datanode list"), "datanode-0", "10.0.0.9:7100", "blocks");
        for (CommandRun each : both("datanode drain", "datanode-0")) {
            assertThat(each.err()).as("%s", each).contains("LFS-112", "the last one that takes blocks");
        }
    }

    @Test
    void shouldCheckTheTree() {
        for (CommandRun each : both("fsck")) {
            assertThat(each.out()).as("%s", each).contains("INodes in the tree: 1");
        }
    }

    @Test
    void shouldSumUpTheTree() {
        assertDone(both("du"), "bytes", "1  /");
    }

    @Test
    void shouldDumpTheMetadata() {
        assertDone(List.of(run("dump", "--dir", client, folder.resolve("one"))), "dumped 1 INodes");
        assertDone(
                List.of(run("dump", "--store", served.address(), "--secret-file", secret, folder.resolve("two"))),
                "dumped 1 INodes");
        assertThat(folder.resolve("one")).isNotEmptyDirectory();
        assertThat(client.resolve("run")).doesNotExist();
    }

    @Test
    void shouldTellTheFormatLevelAndTheBlockReports() {
        assertDone(both("upgrade"), "the newest of this build");
        assertDone(both("blocks report"), "blocks: 0 of 256 buckets");
    }

    @Test
    void shouldOpenTheBlockStoreWhereItIsToldToBe() throws Exception {
        assertDone(both("gc", "--dry-run", "--blocks", blocks), "1 objects, 16 bytes");
        assertDone(both("gc", "--dry-run", "--blocks", "blocks=" + blocks), "1 objects, 16 bytes");
        for (CommandRun each : both("blocks check", "--blocks", blocks)) {
            // The object is none of a datanode's making.
            assertThat(each.out()).as("%s", each).contains("block 0 in blocks: its object has 5 bytes", "1 blocks");
        }
        for (CommandRun each : both("gc", "--dry-run")) {
            assertThat(each.exit()).as("%s", each).isEqualTo(2);
            assertThat(each.err()).contains("LFS-108", "--blocks blocks=PLACE");
        }
        Files.writeString(
                client.resolve("cluster.json"),
                "{\"store\":{\"address\":\"" + served.address() + "\"},\"blocks\":{\"place\":\"" + blocks + "\"}}");
        assertDone(List.of(run("gc", "--dir", client)), "deleted, for no file needs them: 1 objects");
        assertThat(blocks.resolve(ORPHAN)).doesNotExist();
        assertThat(blocks.resolve(NAMED)).exists();
    }

    @Test
    void shouldShowTheStatus() throws Exception {
        List<CommandRun> all = both("cluster status");
        assertDone(all, "store", served.address(), "datanode-0", "instances: 1", "deployment 2: pod-7, epoch 7");
        assertThat(all.get(0).out()).contains("gateway", "running");
        JsonNode json = new ObjectMapper()
                .readTree(both("cluster status", "--json").get(0).out());
        assertThat(json.path("services").size()).isEqualTo(3);
        assertThat(json.path("instances").get(0).path("instance").asText()).isEqualTo("pod-7");
    }

    @Test
    void shouldLookItOver() {
        assertDone(both("doctor"), "level " + FormatLevel.NEWEST.number(), "datanode-0 was heard of", "no fault found");
        assertThat(run("doctor", "--dir", client).out()).contains("takes connections");
    }

    @Test
    void shouldNotCallWellWhatItCannotSee() {
        served.close();
        CommandRun doctor = run("doctor", "--store", "127.0.0.1:1", "--secret-file", secret);
        assertThat(doctor.exit()).isEqualTo(3);
        assertThat(doctor.out())
                .contains("unknown store", "could not be looked at")
                .doesNotContain("no fault found");
        assertThat(run("doctor", "--store", "127.0.0.1:1", "--secret-file", secret, "--accept", "store")
                        .exit())
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"cluster start", "cluster stop", "cluster resize --deployments 4", "migrate --to embedded"})
    void shouldSayWhatToUseInPlaceOfCommandsForThisMachine(String line) {
        CommandRun run = run(line, "--dir", client);
        assertThat(run.exit()).as("%s", run).isEqualTo(2);
        assertThat(run.err()).contains("LFS-108", "runs elsewhere: ").doesNotContain("cluster start --dir");
        assertThat(client.resolve("run")).doesNotExist();
    }

    @Test
    void shouldSayThatADirectoryKnowsNoStore() throws Exception {
        Files.writeString(client.resolve("cluster.json"), "{\"deployments\":3}");
        CommandRun run = run("fsck", "--dir", client);
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("does not say where the cluster's store is", "--store HOST:PORT");
        CommandRun doctor = run("doctor", "--dir", client);
        assertThat(doctor.exit()).isEqualTo(3);
        assertThat(doctor.out()).contains("unknown store");
        CommandRun bare = run("fsck", "--store", served.address());
        assertThat(bare.exit()).isEqualTo(2);
        assertThat(bare.err()).contains("--secret-file");
    }

    @Test
    void shouldNotAskAPlatformForPagesOfTheGateway() {
        CommandRun run = run("dashboard", "--dir", client);
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("has no management API of λFS");
    }
}
