package io.lambdafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.blocks.BlockInspections;
import io.lambdafs.cluster.blocks.BlockMoves;
import io.lambdafs.cluster.blocks.BlockReportSummary;
import io.lambdafs.cluster.blocks.OrphanCollection;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.datanode.BlockMove;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.block.ObjectKey;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import io.lambdafs.store.block.BlockFault;
import io.lambdafs.store.block.BlockReport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockStoragePolicySpi;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.RemoteIterator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A cluster of real processes with two block stores: policies choose between them, and blocks move from one to the other while they are read. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class BlockStoresTest {
    private static final int BLOCK = 1 << 20;
    private static final int LENGTH = 3 * BLOCK + 5;

    @TempDir
    static Path directory;

    @TempDir
    static Path cold;

    private ClusterUnderTest cluster;
    private FileSystem fs;
    private FileContext context;

    @BeforeAll
    void start() throws IOException {
        ObjectNode settings = JsonNodeFactory.instance.objectNode();
        settings.withObject("blocks").withObject("stores").put("cold", cold.toString());
        cluster = ClusterUnderTest.start(directory, settings);
        Configuration conf = new Configuration();
        conf.set("fs.AbstractFileSystem.lambdafs.impl", "io.lambdafs.hadoop.LambdaAbstractFileSystem");
        conf.set("lambdafs.dir", directory.toString());
        conf.setInt("dfs.blocksize", BLOCK);
        URI address = URI.create("lambdafs://local/");
        fs = FileSystem.newInstance(address, conf);
        context = FileContext.getFileContext(address, conf);
    }

    @AfterAll
    void stop() throws IOException {
        fs.close();
        cluster.close();
    }

    private static org.apache.hadoop.fs.Path path(String name) {
        return new org.apache.hadoop.fs.Path(name);
    }

    private byte[] write(String name, int seed) throws IOException {
        byte[] content = new byte[LENGTH];
        new Random(seed).nextBytes(content);
        try (FSDataOutputStream out = fs.create(path(name))) {
            out.write(content);
        }
        return content;
    }

    private byte[] read(String name) throws IOException {
        try (FSDataInputStream in = fs.open(path(name))) {
            return in.readAllBytes();
        }
    }

    private static long objects(Path root) throws IOException {
        if (!Files.exists(root.resolve("blocks"))) {
            return 0;
        }
        try (Stream<Path> files = Files.walk(root.resolve("blocks"))) {
            return files.filter(Files::isRegularFile).count();
        }
    }

    private static LocalCluster local() {
        PrintStream out = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        return new LocalCluster(new ClusterDirectory(directory), new Console(out, out, 0));
    }

    @Test
    void shouldPlaceBlocksByPolicyAndMoveThemWhileTheyAreRead() throws Exception {
        fs.mkdirs(path("/archive/year"));
        assertThat(fs.getStoragePolicy(path("/archive/year")).getName()).isEqualTo("HOT");
        fs.setStoragePolicy(path("/archive"), "COLD");
        assertThat(context.getStoragePolicy(path("/archive/year")).getName()).isEqualTo("COLD");
        byte[] first = write("/archive/year/first", 1);
        byte[] hot = write("/hot", 2);
        assertThat(objects(cold)).isEqualTo(4);
        assertThat(objects(directory.resolve("blocks"))).isEqualTo(4);

        AtomicBoolean ended = new AtomicBoolean();
        ExecutorService reader = Executors.newSingleThreadExecutor();
        Future<Integer> reads = reader.submit(() -> {
            int count = 0;
            do {
                assertThat(read("/hot")).isEqualTo(hot);
                count++;
            } while (!ended.get());
            return count;
        });
        // Opened before, and read on after the move.
        try (FSDataInputStream slow = fs.open(path("/hot"))) {
            slow.readFully(new byte[10]);
            assertThat(BlockMoves.run(local(), FsPath.ROOT, Optional.of("cold"), false))
                    .isEqualTo(new BlockMove.Report(4, LENGTH, 0, 0));
            byte[] rest = slow.readAllBytes();
            assertThat(rest).hasSize(LENGTH - 10).endsWith(hot[LENGTH - 2], hot[LENGTH - 1]);
        }
        ended.set(true);
        assertThat(reads.get()).isPositive();
        reader.shutdown();

        assertThat(objects(cold)).isEqualTo(8);
        assertThat(read("/archive/year/first")).isEqualTo(first);
        assertThat(BlockMoves.run(local(), FsPath.of("/archive"), Optional.of(BlockMoves.DEFAULT), false)
                        .moved())
                .isEqualTo(4);
        assertThat(read("/archive/year/first")).isEqualTo(first);
        // What policies say: one file has to go to the cold store, and the other one has to leave it.
        assertThat(BlockMoves.run(local(), FsPath.ROOT, Optional.empty(), true).moved())
                .isEqualTo(8);
        assertThat(BlockMoves.run(local(), FsPath.of("/archive/year/first"), Optional.empty(), false)
                        .moved())
                .isEqualTo(4);
        assertThat(BlockMoves.run(local(), FsPath.of("/archive"), Optional.empty(), false)
                        .moved())
                .isZero();
        assertThat(read("/archive/year/first")).isEqualTo(first);
        assertThat(BlockMoves.run(local(), FsPath.of("/archive"), Optional.of(BlockMoves.DEFAULT), false)
                        .moved())
                .isEqualTo(4);
        assertThat(read("/hot")).isEqualTo(hot);
        // Nothing is an orphan: the objects that were moved are listed, until nobody can read them any more.
        assertThat(OrphanCollection.run(local(), true).orphans()).isZero();
        BlockInspections.Report whole = BlockInspections.run(local(), true);
        assertThat(whole).isEqualTo(new BlockInspections.Report(8, 2L * LENGTH, List.of()));
        assertThat(damaged("/")).isEmpty();
        tell(fs.getFileStatus(path("/archive/year/first")));
        assertThat(damaged("/")).containsExactly("/archive/year/first");
        assertThat(damaged("/archive/year")).containsExactly("/archive/year/first");
        assertThat(damaged("/archive/year/first")).containsExactly("/archive/year/first");
        assertThat(damaged("/hot")).isEmpty();
        assertThat(damaged("/none")).isEmpty();
        lose("/archive/year/first");
        assertThat(BlockInspections.run(local(), false).faults())
                .containsExactly("/archive/year/first: block 3 in local: its object is missing");
    }

    private List<String> damaged(String below) throws IOException {
        List<String> found = new ArrayList<>();
        RemoteIterator<org.apache.hadoop.fs.Path> all = fs.listCorruptFileBlocks(path(below));
        while (all.hasNext()) {
            found.add(all.next().toUri().getPath());
        }
        return found;
    }

    /** Writes what a datanode that misses the third block of a file would, and checks the operator's report. */
    private static void tell(FileStatus file) {
        BlockReportSummary.Report before = BlockReportSummary.read(local());
        assertThat(before.isWhole()).isTrue();
        assertThat(before.stores())
                .extracting(BlockReportSummary.OfStore::store)
                .contains("local");
        String key = ObjectKey.of(1, 1, 1);
        long id = local().rows(rows -> {
            for (Row row : rows) {
                if (row.key().table().equals(Schema.INODES)
                        && Rows.inode(row).name().equals(file.getPath().getName())) {
                    return Rows.inode(row).id();
                }
            }
            return 0L;
        });
        BlockReport report = new BlockReport(
                "local", ObjectKey.bucket(key), BlockReport.Contents.NONE.plus(key, 5), 1, 0, "datanode-1", 1, 2, "");
        BlockFault fault = new BlockFault("local", key, id, 3, "its object is missing", 2);
        local().onStore(
                        "report",
                        store -> store.begin(0)
                                .commit(
                                        List.of(new Mutation.Put(report.row()), new Mutation.Put(fault.row())),
                                        Long.MAX_VALUE));
        BlockReportSummary.Report after = BlockReportSummary.read(local());
        assertThat(after.isWhole()).isFalse();
        assertThat(after.lines()).contains("/archive/year/first: block 3 in local: its object is missing");
        assertThat(after.json().path("stores").get(0).path("faults").asInt()).isEqualTo(1);
    }

    /** Takes the object of the last block of a file away. */
    private static void lose(String name) throws IOException {
        String key = local().rows(rows -> {
            Map<Long, String> files = new HashMap<>();
            Map<Long, String> keys = new HashMap<>();
            for (Row row : rows) {
                if (row.key().table().equals(Schema.INODES)) {
                    files.put(Rows.inode(row).id(), Rows.inode(row).name());
                } else if (row.key().table().equals(Schema.BLOCKS) && row.key().int64(1) == 3) {
                    keys.put(row.key().int64(0), row.string(5));
                }
            }
            keys.keySet().removeIf(id -> !name.endsWith("/" + files.get(id)));
            return keys.values().iterator().next();
        });
        Files.delete(directory.resolve("blocks").resolve(key));
    }

    @Test
    void shouldTellPoliciesAndRefuseOthers() throws Exception {
        assertThat(fs.getAllStoragePolicies())
                .extracting(BlockStoragePolicySpi::getName)
                .contains("HOT", "COLD", "ALL_SSD")
                .doesNotContain("cold");
        fs.mkdirs(path("/p"));
        context.setStoragePolicy(path("/p"), "warm");
        assertThat(fs.getStoragePolicy(path("/p")).getName()).isEqualTo("WARM");
        context.unsetStoragePolicy(path("/p"));
        assertThat(fs.getStoragePolicy(path("/p")).getName()).isEqualTo("HOT");
        assertThat(fs.hasPathCapability(path("/p"), "fs.capability.paths.storagepolicy"))
                .isTrue();
        for (String none : new String[] {"nowhere", "no name"}) {
            assertThatThrownBy(() -> fs.setStoragePolicy(path("/p"), none))
                    .isInstanceOf(PathIOException.class)
                    .hasMessageContaining("Cannot find a block policy with the name " + none);
        }
        assertThatThrownBy(() -> fs.satisfyStoragePolicy(path("/p")))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("lambdafs blocks move");
        assertThatThrownBy(() -> BlockMoves.run(local(), FsPath.ROOT, Optional.of("nowhere"), false))
                .hasMessageContaining("it has default and [cold]");
    }
}
