package io.lambdafs.cluster.trial;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.blocks.BlockMoves;
import io.lambdafs.cluster.blocks.OrphanCollection;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.datanode.BlockMove;
import io.lambdafs.datanode.Orphans;
import io.lambdafs.store.embedded.StoredRows;
import io.lambdafs.store.format.Fsck;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * SIGKILL to a datanode, the object store, an instance and the client, and a pause of a datanode, at random points of writes to two block stores, between which a directory's policy
 * chooses. Orphans are collected meanwhile; afterwards blocks are moved from one to the other and back while they are read. {@code -Dlambdafs.files.writes=500} writes so many files,
 * {@code -Dlambdafs.files.seed=7} chooses the same ones again, though not at the same moments, and {@code -Dlambdafs.files.direct=true} has the client write objects itself, without datanodes.
 */
@Tag("slow")
class FilesTrialTest {
    private static final Path TARGET = Path.of("target", "files-trial");
    private static final int FEW = 20;
    /** Lines of the writers' output between two kills; a file of a few blocks is some fifteen lines. */
    private static final int LINES_BETWEEN = 30;

    /** Between one kill and the next, at least. */
    private static final int FILES_BETWEEN = 3;

    private static final int MOST_KILLS = 60;
    /** Datanodes of each of the two block stores. */
    private static final int DATANODES_EACH = 2;

    static final int DATANODES = 2 * DATANODES_EACH;
    private static final String COLD = "cold";
    private static final boolean DIRECT = Boolean.getBoolean("lambdafs.files.direct");

    @TempDir
    Path directory;

    @Test
    @Timeout(value = 1, unit = TimeUnit.HOURS)
    void shouldReadBackWhatWasCompletedAndNothingElseWhoeverIsKilled() throws Exception {
        int files = Integer.getInteger("lambdafs.files.writes", FEW);
        long seed = Long.getLong("lambdafs.files.seed", 1);
        Files.createDirectories(TARGET);
        LocalCluster cluster = new LocalCluster(new ClusterDirectory(directory.resolve("cluster")), console());
        List<Killer.Victim> victims = Arrays.stream(Killer.Victim.values())
                .filter(each -> !DIRECT || (each != Killer.Victim.DATANODE && each != Killer.Victim.DATANODE_FROZEN))
                .toList();
        Verdicts verdicts;
        Killer killer;
        try (ObjectStore objects = new ObjectStore(directory.resolve("objects"), TARGET.resolve("objects.log"));
                WriterProcess writers =
                        new WriterProcess(cluster.directory().client(), TARGET.resolve("writers.log"), files)) {
            objects.start();
            cluster.start(new LocalCluster.StartOptions(null, settings(objects)));
            try (BlockingLambdaFs fs =
                    BlockingLambdaFs.open(ClientConfig.load(cluster.directory().client()))) {
                fs.mkdirs(TrialFile.OLD, 0755);
                BlockingLambdaFs.await(fs.async().setStoragePolicy(TrialFile.OLD, COLD));
                Random random = new Random(seed);
                killer = new Killer(
                        cluster, objects, writers, random, Duration.ofSeconds(files > FEW ? 10 : 3), victims);
                writers.start();
                do {
                    writers.release(Math.max(FILES_BETWEEN, files / MOST_KILLS));
                    writers.awaitMore(1 + random.nextInt(LINES_BETWEEN));
                    killer.strike();
                    Files.writeString(
                            TARGET.resolve("progress"),
                            writers.outcomes().size() + " of " + files + " files; killed " + killer.killed() + "\n",
                            StandardOpenOption.CREATE,
                            StandardOpenOption.APPEND);
                    OrphanCollection.run(cluster, false);
                } while (writers.awaitMore(0));
                writers.awaitMore(Integer.MAX_VALUE);
                objects.addOrphan();
                Orphans.Report collected = OrphanCollection.run(cluster, false);
                verdicts = new Verdicts(fs);
                BlockMove.Report there = move(cluster, Optional.of(BlockMoves.DEFAULT), verdicts, writers);
                BlockMove.Report back = move(cluster, Optional.empty(), verdicts, writers);
                verdicts.judge(writers.outcomes());
                String report = "seed " + seed + ", " + files + " writes; killed " + killer.killed() + "; " + verdicts
                        + "\nmoved while read: " + there + ", and back " + back
                        + "\nfailed: " + writers.failures() + "\nwrong: " + verdicts.wrong() + "\n";
                Files.writeString(TARGET.resolve("report.txt"), report);
                assertThat(verdicts.wrong()).as(report).isEmpty();
                assertThat(there.moved()).as(report).isPositive();
                // Where no datanode served the one store for a moment, blocks went to the other.
                assertThat(back.moved()).as(report).isGreaterThanOrEqualTo(there.moved());
                assertThat(there.failed() + back.failed()).as(report).isZero();
                assertThat(collected.orphans()).as("%s", collected).isPositive();
                assertThat(OrphanCollection.run(cluster, true).orphans()).isZero();
                assertThat(writers.failures()).as(report).isEmpty();
                assertThat(killer.killed()).as(report).containsOnlyKeys(victims.toArray(Killer.Victim[]::new));
            }
        } finally {
            cluster.stop();
        }
        assertThat(StoredRows.read(cluster.directory().data("store"), Fsck::check)
                        .problems())
                .isEmpty();
    }

    /** Moves what is not where it should be, while all files are read over and over. */
    private static BlockMove.Report move(
            LocalCluster cluster, Optional<String> to, Verdicts verdicts, WriterProcess writers) throws Exception {
        CompletableFuture<BlockMove.Report> moved =
                CompletableFuture.supplyAsync(() -> BlockMoves.run(cluster, TrialFile.DIRECTORY, to, false));
        do {
            verdicts.judge(writers.outcomes());
        } while (!moved.isDone());
        return moved.get();
    }

    static Console console() {
        PrintStream log = System.out;
        return new Console(log, log, 0);
    }

    private static ObjectNode settings(ObjectStore objects) {
        ObjectNode keys = JsonNodeFactory.instance.objectNode();
        keys.put("deployments", 2);
        keys.withObject("blocks")
                .put("datanodes", DIRECT ? 0 : DATANODES_EACH)
                .put("direct", DIRECT)
                .put("place", "s3://" + ObjectStore.BUCKET + "/" + ObjectStore.HOT)
                .put("endpoint", objects.endpoint())
                .put("cacheMb", 16)
                .putObject("stores")
                .put(COLD, "s3://" + ObjectStore.BUCKET + "/" + COLD);
        return keys;
    }
}
