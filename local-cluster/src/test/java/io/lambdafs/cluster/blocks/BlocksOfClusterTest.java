package io.lambdafs.cluster.blocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.datanode.BlockMove;
import io.lambdafs.datanode.BlockStores;
import io.lambdafs.datanode.ClusterId;
import io.lambdafs.datanode.Orphans;
import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.datanode.block.BlockStoreCheck;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.ObjectKey;
import io.lambdafs.model.inode.INode;
import io.lambdafs.store.Row;
import io.lambdafs.store.block.BlockFault;
import io.lambdafs.store.block.BlockReport;
import io.lambdafs.store.block.StoredBlock;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An operator's actions on the blocks of {@code /d/f} and {@code /g}, whose bytes are in two block stores. */
class BlocksOfClusterTest {
    private static final String LOCAL = "local";
    private static final String COLD = "policy:cold";
    private static final long DIRECTORY = 1_000;
    private static final long FILE = 1_001;
    private static final long OTHER = 1_002;
    private static final int LENGTH = 10;

    @TempDir
    private Path folder;

    private MemoryCluster cluster;

    @BeforeEach
    void fill() {
        cluster = new MemoryCluster(
                Map.of(LOCAL, folder.resolve("local"), COLD, folder.resolve("cold")), folder.resolve("scratch"));
        cluster.directory(INode.ROOT_ID, "d", DIRECTORY);
        cluster.file(DIRECTORY, "f", FILE);
        cluster.file(INode.ROOT_ID, "g", OTHER);
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private BlockStore open(String store) {
        return BlockStores.open(
                folder.resolve(store.equals(LOCAL) ? "local" : "cold").toString(),
                Optional.empty(),
                Optional.empty(),
                "test",
                folder.resolve("spool"));
    }

    /** Makes the cluster the owner of its block stores, as datanodes do. */
    private void claim() {
        String id = cluster.onStore("read the cluster's name", ClusterId::of);
        for (String each : List.of(LOCAL, COLD)) {
            try (BlockStore store = open(each)) {
                BlockStoreCheck.check(store, ClusterId.owner(id, each));
            }
        }
    }

    private static String key(long block) {
        return ObjectKey.of(block, 1, 9);
    }

    private void block(long file, long block, String store) {
        cluster.put(
                new StoredBlock(file, 0, new Block(block, 1, LENGTH, 0), store, key(block), StoredBlock.State.WRITTEN)
                        .row());
    }

    private void object(long block, String store, int bytes) {
        try (BlockStore opened = open(store);
                BlockStore.Upload upload = opened.upload(key(block))) {
            upload.write(new byte[bytes], 0, bytes);
            upload.commit();
        }
    }

    private boolean hasObject(long block, String store) {
        try (BlockStore opened = open(store)) {
            return opened.length(key(block)).isPresent();
        }
    }

    @Test
    void shouldNameTheFilesWhoseBlocksAreDamaged() {
        claim();
        block(FILE, 1, LOCAL);
        block(OTHER, 2, COLD);
        object(2, COLD, 3);

        BlockInspections.Report report = BlockInspections.run(cluster, false);

        assertThat(report.blocks()).isEqualTo(2);
        assertThat(report.bytes()).isEqualTo(2 * LENGTH);
        assertThat(report.faults()).hasSize(2);
        assertThat(report.faults().get(0)).isEqualTo("/d/f: block 0 in local: its object is missing");
        assertThat(report.faults().get(1))
                .startsWith("/g: block 0 in policy:cold: ")
                .contains("3 bytes in place of");
    }

    @Test
    void shouldFindNoFaultWhereThereAreNoBlocks() {
        claim();
        assertThat(BlockInspections.run(cluster, true)).isEqualTo(new BlockInspections.Report(0, 0, List.of()));
    }

    @Test
    void shouldDeleteWhatNoRowNamesAndNothingElse() {
        claim();
        block(FILE, 1, LOCAL);
        object(1, LOCAL, 4);
        object(2, LOCAL, 5);
        object(3, COLD, 6);

        Orphans.Report found = OrphanCollection.run(cluster, true);
        assertThat(found).isEqualTo(new Orphans.Report(3, 15, 2, 11, 0, 0));
        assertThat(hasObject(2, LOCAL)).as("after a dry run").isTrue();

        assertThat(OrphanCollection.run(cluster, false)).isEqualTo(found);
        assertThat(hasObject(1, LOCAL)).isTrue();
        assertThat(hasObject(2, LOCAL)).isFalse();
        assertThat(hasObject(3, COLD)).isFalse();
    }

    @Test
    void shouldCollectNothingOfAClusterThatHadNoDatanode() {
        assertThatThrownBy(() -> OrphanCollection.run(cluster, false))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND))
                .hasMessage("no datanode was ever started in a cluster in memory: it has no blocks");
    }

    @Test
    void shouldOpenNoStoreOfAnotherCluster() {
        claim();
        cluster.put(new Row(ClusterId.KEY, "another"));
        assertThatThrownBy(() -> OrphanCollection.run(cluster, false))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
    }

    @Test
    void shouldMoveBlocksThatAreNotThereYet() {
        claim();
        block(FILE, 1, LOCAL);
        block(OTHER, 2, LOCAL);
        FsPath root = FsPath.of("/");
        assertThat(BlockMoves.run(cluster, root, Optional.of(BlockMoves.DEFAULT), true))
                .isEqualTo(new BlockMove.Report(0, 0, 0, 0));
        assertThat(BlockMoves.run(cluster, root, Optional.empty(), true)).isEqualTo(new BlockMove.Report(0, 0, 0, 0));
        assertThat(BlockMoves.run(cluster, root, Optional.of("cold"), true))
                .isEqualTo(new BlockMove.Report(2, 2 * LENGTH, 0, 0));
        assertThat(BlockMoves.run(cluster, FsPath.of("/d"), Optional.of("cold"), true))
                .isEqualTo(new BlockMove.Report(1, LENGTH, 0, 0));
        assertThat(BlockMoves.run(cluster, FsPath.of("/g"), Optional.of("cold"), true))
                .isEqualTo(new BlockMove.Report(1, LENGTH, 0, 0));
    }

    @Test
    void shouldMoveNothingToAStoreOrFromAPathThatThereIsNot() {
        claim();
        assertThatThrownBy(() -> BlockMoves.run(cluster, FsPath.of("/"), Optional.of("warm"), true))
                .hasMessage("the cluster has no block store \"warm\"; it has default and [cold]");
        assertThatThrownBy(() -> BlockMoves.run(cluster, FsPath.of("/d/none/f"), Optional.empty(), true))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND))
                .hasMessage("no such file or directory: \"/d/none\"");
    }

    private void report(int bucket, long objects, long faults, long orphans, long endedMillis) {
        cluster.put(new BlockReport(
                        LOCAL,
                        bucket,
                        new BlockReport.Contents(objects, 100 * objects, 0),
                        faults,
                        orphans,
                        "datanode",
                        1,
                        endedMillis,
                        "")
                .row());
    }

    private void fault(long file, long block) {
        cluster.put(new BlockFault(LOCAL, key(block), file, 0, "its object is missing", 5).row());
    }

    @Test
    void shouldSumUpTheBucketsThatWereScannedAndNameTheFiles() {
        report(0, 2, 1, 3, 10);
        report(7, 3, 1, 0, 20);
        report(8, 9, 9, 9, 0);
        fault(FILE, 1);
        fault(77, 2);

        BlockReportSummary.Report read = BlockReportSummary.read(cluster);

        assertThat(read.stores())
                .containsExactly(
                        new BlockReportSummary.OfStore(LOCAL, 2, 5, 500, 2, 3, 0),
                        new BlockReportSummary.OfStore(COLD, 0, 0, 0, 0, 0, 0));
        assertThat(read.isWhole()).isFalse();
        assertThat(read.lines())
                .containsExactly(
                        "/d/f: block 0 in local: its object is missing",
                        "file 77, which has no path any more: block 0 in local: its object is missing",
                        "local: 2 of 256 buckets looked at: 5 objects, 500 bytes, 2 blocks without a whole object,"
                                + " 3 objects that nothing named deleted",
                        "policy:cold: 0 of 256 buckets looked at: 0 objects, 0 bytes, 0 blocks without a whole"
                                + " object, 0 objects that nothing named deleted");
        assertThat(read.json().at("/stores/0/objects").asLong()).isEqualTo(5);
        assertThat(read.json().at("/faults/0").asText()).startsWith("/d/f");
    }

    @Test
    void shouldNotNameFaultsThatTheReportsDoNotCount() {
        report(0, 2, 0, 0, 10);
        fault(FILE, 1);
        BlockReportSummary.Report read = BlockReportSummary.read(cluster);
        assertThat(read.faults()).isEmpty();
        assertThat(read.isWhole()).isTrue();
    }

    @Test
    void shouldTellTheOldestScanOnceEveryBucketHasOne() {
        for (int bucket = 0; bucket < ObjectKey.BUCKETS; bucket++) {
            report(bucket, 1, 0, 0, 1_000_000 + 1_000L * bucket);
        }
        BlockReportSummary.Report read = BlockReportSummary.read(cluster);
        assertThat(read.stores().get(0).oldestMillis()).isEqualTo(1_000_000);
        assertThat(read.lines().get(0))
                .startsWith("local: 256 of 256 buckets looked at, all since " + Instant.ofEpochMilli(1_000_000) + ": ");
    }
}
