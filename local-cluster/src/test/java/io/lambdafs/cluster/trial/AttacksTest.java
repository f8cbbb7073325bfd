package io.lambdafs.cluster.trial;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.CreateOptions;
import io.lambdafs.client.FileWriter;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.block.LocatedBlock;
import io.lambdafs.rpc.auth.Secret;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Attacks on the datanodes of a cluster of real processes, beside files that are written and read. {@code -Dlambdafs.attacks.minutes=30} goes on for so long, and
 * then asks that memory does not grow.
 */
@Tag("slow")
class AttacksTest {
    private static final Path TARGET = Path.of("target", "attacks");
    private static final double MINUTES = Double.parseDouble(System.getProperty("lambdafs.attacks.minutes", "0.4"));
    /** In less than that JVMs are not warm. */
    private static final double FLAT_FROM_MINUTES = 10;

    private static final double MOST_GROWTH = 1.2;
    private static final int DATANODES = 2;
    private static final int VICTIM_BYTES = 4 << 20;
    private static final long LOOK_SECONDS = 2;
    private static final int LOOKS_A_LINE = 5;

    @TempDir
    Path directory;

    @Test
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    void shouldServeTheHonestInConstantMemoryWhoeverAttacks() throws Exception {
        Files.createDirectories(TARGET);
        LocalCluster cluster = new LocalCluster(new ClusterDirectory(directory), FilesTrialTest.console());
        cluster.start(new LocalCluster.StartOptions(null, settings()));
        try (BlockingLambdaFs fs =
                BlockingLambdaFs.open(ClientConfig.load(cluster.directory().client()))) {
            HonestLoad honest = new HonestLoad(HonestLoad.Files.of(fs));
            fs.mkdirs(HonestLoad.DIRECTORY, 0755);
            honest.start();
            watch(new Memory(pids(cluster)), MINUTES / 8, honest, "before the attacks");
            String quiet = honest.toString();
            honest.reset();
            Map<String, Long> before = pids(cluster);
            Memory memory = new Memory(before);
            try (Attacked target = attacked(fs, cluster)) {
                Attackers attackers = new Attackers(target);
                attackers.start();
                try {
                    watch(memory, MINUTES, honest, target);
                } finally {
                    attackers.stop();
                    honest.stop();
                }
                before.values().removeAll(pids(cluster).values());
                String report = "honest, before the attacks: " + quiet + "\nhonest, under attack: " + honest
                        + "\nattacks: " + target + "\nMB resident from start to end: " + memory
                        + "\nprocesses ended: " + before.size() + " " + before.keySet() + "\n";
                Files.writeString(TARGET.resolve("report.txt"), report);
                assertThat(honest.failures()).as(report).isEmpty();
                assertThat(honest.done()).as(report).isPositive();
                assertThat(target.accepted()).as(report).isEmpty();
                assertThat(before).as(report).isEmpty();
                assertThat(Attacked.Kind.values()).as(report).allMatch(each -> target.made(each) > 0);
                if (MINUTES >= FLAT_FROM_MINUTES) {
                    assertThat(memory.growth()).as(report).isLessThan(MOST_GROWTH);
                }
            }
        } finally {
            cluster.stop();
        }
    }

    private static ObjectNode settings() {
        ObjectNode keys = JsonNodeFactory.instance.objectNode();
        // One instance, in use all the time: an idle one may end.
        keys.put("deployments", 1);
        keys.withObject("pool").put("maxInstances", 1);
        keys.withObject("blocks").put("datanodes", DATANODES);
        return keys;
    }

    private static Attacked attacked(BlockingLambdaFs fs, LocalCluster cluster) throws InterruptedException {
        FsPath path = FsPath.of("/victim");
        FileWriter writer = BlockingLambdaFs.await(fs.async().writer(path, CreateOptions.DEFAULT));
        writer.write(ByteBuffer.allocate(VICTIM_BYTES));
        writer.complete();
        LocatedBlock block = fs.open(path).blocks().get(0);
        List<InetSocketAddress> datanodes = block.datanodes().stream()
                .map(each -> new InetSocketAddress(each.host(), each.port()))
                .toList();
        assertThat(datanodes).hasSize(DATANODES);
        return new Attacked(datanodes, Secret.load(cluster.directory().secret()), block.token());
    }

    /** Returns the process ids of services and instances, by name. */
    private static Map<String, Long> pids(LocalCluster cluster) {
        Map<String, Long> pids = new LinkedHashMap<>();
        cluster.processes().forEach((name, process) -> pids.put(name, process.pid()));
        for (JsonNode each : cluster.gateway().client().instances()) {
            if (each.path("deployment").asText().startsWith(LocalCluster.ACTION_PREFIX)) {
                pids.put("instance " + each.path("pid"), each.path("pid").asLong());
            }
        }
        return pids;
    }

    private static void watch(Memory memory, double minutes, HonestLoad honest, Object more) throws Exception {
        long until =
                System.nanoTime() + Duration.ofMillis((long) (minutes * 60_000)).toNanos();
        for (int looks = 1; System.nanoTime() < until; looks++) {
            TimeUnit.SECONDS.sleep(LOOK_SECONDS);
            memory.look();
            if (looks % LOOKS_A_LINE == 0) {
                Files.writeString(
                        TARGET.resolve("progress"),
                        Duration.ofNanos(until - System.nanoTime()).toSeconds() + " s left; honest: " + honest + "; "
                                + more + "; MB: " + memory + "\n",
                        StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND);
            }
        }
    }
}
