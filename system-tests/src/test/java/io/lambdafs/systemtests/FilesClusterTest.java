package io.lambdafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files that are too long to be kept with the metadata, through Hadoop's API, in a cluster of real processes with two datanodes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class FilesClusterTest {
    private static final int BLOCK = 1 << 20;
    private static final int STREAMS = 64;
    private static final int PIECE = 64 << 10;
    private static final int PIECES = 64;
    private static final int LENGTH = 7 * BLOCK + 12_345;

    @TempDir
    static Path directory;

    private ClusterUnderTest cluster;
    private FileSystem fs;

    @BeforeAll
    void start() throws IOException {
        ObjectNode settings = JsonNodeFactory.instance.objectNode();
        settings.withObject("blocks").put("datanodes", 2).put("heapMb", 256);
        cluster = ClusterUnderTest.start(directory, settings);
        Configuration conf = new Configuration();
        conf.set("lambdafs.dir", directory.toString());
        conf.setInt("dfs.blocksize", BLOCK);
        fs = FileSystem.newInstance(URI.create("lambdafs://local/"), conf);
    }

    @AfterAll
    void stop() throws IOException {
        fs.close();
        cluster.close();
    }

    private static byte[] content(int seed, int length) {
        byte[] content = new byte[length];
        new Random(seed).nextBytes(content);
        return content;
    }

    private static org.apache.hadoop.fs.Path path(String name) {
        return new org.apache.hadoop.fs.Path(name);
    }

    private void write(org.apache.hadoop.fs.Path path, byte[] content, int piece) throws IOException {
        try (FSDataOutputStream out = fs.create(path)) {
            for (int at = 0; at < content.length; at += piece) {
                out.write(content, at, Math.min(piece, content.length - at));
            }
        }
    }

    private byte[] read(org.apache.hadoop.fs.Path path) throws IOException {
        try (FSDataInputStream in = fs.open(path)) {
            return in.readAllBytes();
        }
    }

    private long objects() throws IOException {
        try (Stream<Path> files = Files.walk(directory.resolve("blocks/blocks"))) {
            return files.filter(Files::isRegularFile).count();
        }
    }

    @Test
    void shouldReadWhatWasWritten() throws Exception {
        byte[] content = content(1, LENGTH);
        write(path("/long/file"), content, 100_000);
        assertThat(fs.getFileStatus(path("/long/file")).getLen()).isEqualTo(LENGTH);
        assertThat(read(path("/long/file"))).isEqualTo(content);
        assertThat(fs.getFileChecksum(path("/long/file"))).isNotNull();
        BlockLocation[] blocks = fs.getFileBlockLocations(path("/long/file"), BLOCK, 2 * BLOCK);
        assertThat(blocks).hasSize(2).allSatisfy(block -> {
            assertThat(block.getLength()).isEqualTo(BLOCK);
            assertThat(block.getHosts()).hasSize(2);
        });
        try (FSDataInputStream in = fs.open(path("/long/file"))) {
            Random random = new Random(2);
            for (int i = 0; i < 50; i++) {
                int from = random.nextInt(LENGTH);
                byte[] part = new byte[Math.min(1 + random.nextInt(2 * BLOCK), LENGTH - from)];
                if (i % 2 == 0) {
                    in.readFully(from, part);
                } else {
                    in.seek(from);
                    in.readFully(part);
                }
                assertThat(part).isEqualTo(Arrays.copyOfRange(content, from, from + part.length));
            }
            in.seek(LENGTH);
            assertThat(in.read()).isEqualTo(-1);
        }
    }

    @Test
    void shouldChooseTheTierByLength() throws Exception {
        for (int length : new int[] {0, 1, 1_024, 64 << 10, (64 << 10) + 1, 512 << 10, (512 << 10) + 1}) {
            byte[] content = content(length, length);
            write(path("/tiers/" + length), content, 7_777);
            assertThat(read(path("/tiers/" + length))).isEqualTo(content);
        }
    }

    @Test
    void shouldKeepTheFileThatWasMovedWhileItWasWritten() throws Exception {
        byte[] content = content(3, 3 * BLOCK);
        FSDataOutputStream out = fs.create(path("/moving/file"));
        out.write(content, 0, 2 * BLOCK);
        assertThat(fs.rename(path("/moving"), path("/moved"))).isTrue();
        out.write(content, 2 * BLOCK, BLOCK);
        out.close();
        assertThat(read(path("/moved/file"))).isEqualTo(content);
    }

    @Test
    void shouldEndAWriterWhoseFileWasDeleted() throws Exception {
        FSDataOutputStream out = fs.create(path("/deleted"));
        out.write(new byte[BLOCK + 1]);
        assertThat(fs.delete(path("/deleted"), false)).isTrue();
        assertThatThrownBy(() -> out.write(new byte[2 * BLOCK])).isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(out::close).isInstanceOf(FileNotFoundException.class).hasNoSuppressedExceptions();
        assertThat(fs.exists(path("/deleted"))).isFalse();
    }

    @Test
    void shouldGoOnWhereADatanodeIsKilledUnderAWriteAndUnderARead() throws Exception {
        byte[] content = content(4, 4 * BLOCK);
        FSDataOutputStream out = fs.create(path("/survives"));
        out.write(content, 0, BLOCK + BLOCK / 2);
        kill("datanode-1");
        out.write(content, BLOCK + BLOCK / 2, BLOCK);
        cluster.start();
        kill("datanode-2");
        out.write(content, 2 * BLOCK + BLOCK / 2, content.length - 2 * BLOCK - BLOCK / 2);
        out.close();
        cluster.start();
        try (FSDataInputStream in = fs.open(path("/survives"))) {
            byte[] first = new byte[BLOCK];
            in.readFully(first);
            kill("datanode-1");
            byte[] rest = in.readAllBytes();
            assertThat(first).isEqualTo(Arrays.copyOf(content, BLOCK));
            assertThat(rest).isEqualTo(Arrays.copyOfRange(content, BLOCK, content.length));
        }
        cluster.start();
    }

    @Test
    void shouldDrainADatanodeWithoutAFailedCall() throws Exception {
        byte[] content = content(5, 3 * BLOCK);
        AtomicBoolean drained = new AtomicBoolean();
        ExecutorService writer = Executors.newSingleThreadExecutor();
        try {
            Future<Integer> files = writer.submit(() -> {
                int count = 0;
                for (boolean last = false; !last; count++) {
                    last = drained.get();
                    write(path("/drained/" + count), content, 100_000);
                    assertThat(read(path("/drained/" + count / 2))).isEqualTo(content);
                }
                return count;
            });
            await().until(() -> fs.exists(path("/drained/1")));
            CommandRun run = CommandRun.lambdafs("datanode", "drain", "--dir", directory, "datanode-2");
            drained.set(true);
            assertThat(run.out()).as("%s", run).contains("datanode-2 is drained and stopped");
            assertThat(files.get()).isGreaterThan(2);
            assertThat(cluster.service("datanode-2")).isEmpty();
            CommandRun list = CommandRun.lambdafs("datanode", "list", "--dir", directory, "--json");
            assertThat(list.out()).contains("\"state\":\"stopped\"", "\"state\":\"serving\"");
            CommandRun last = CommandRun.lambdafs("datanode", "drain", "--dir", directory, "datanode-1");
            assertThat(last.err()).contains("is the last one that takes blocks");
        } finally {
            writer.shutdownNow();
            cluster.start();
        }
    }

    @Test
    void shouldStartADatanodeAgainThatHasEnded() throws Exception {
        byte[] content = content(6, BLOCK);
        write(path("/kept"), content, content.length);
        kill("datanode-2");
        kill("datanode-1");
        await().until(() -> cluster.service("datanode-1").isPresent()
                && cluster.service("datanode-2").isPresent());
        assertThat(read(path("/kept"))).isEqualTo(content);
    }

    @Test
    void shouldServe64StreamsAtOnceWithin256MbOfHeap() throws Exception {
        assertThat(CommandRun.lambdafs("datanode", "drain", "--dir", directory, "datanode-2")
                        .exit())
                .isZero();
        long pid = cluster.service("datanode-1").orElseThrow().pid();
        ExecutorService streams = Executors.newFixedThreadPool(STREAMS);
        try {
            all(streams, this::writeStream);
            all(streams, this::readStream);
            assertThat(cluster.service("datanode-1").orElseThrow().pid()).isEqualTo(pid);
            assertThat(directory.resolve("logs/datanode-1.log"))
                    .content()
                    .isNotEmpty()
                    .doesNotContain("OutOfMemoryError");
        } finally {
            streams.shutdownNow();
            cluster.start();
        }
    }

    /** One after whose first half it waits until all others are there too. */
    private interface Halfway {
        void run(int number, CyclicBarrier half) throws Exception;
    }

    private static void all(ExecutorService streams, Halfway stream) throws Exception {
        CyclicBarrier half = new CyclicBarrier(STREAMS);
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < STREAMS; i++) {
            int number = i;
            running.add(streams.submit(() -> {
                stream.run(number, half);
                return null;
            }));
        }
        for (Future<?> each : running) {
            each.get();
        }
    }

    private void writeStream(int number, CyclicBarrier half) throws Exception {
        Random random = new Random(number);
        byte[] piece = new byte[PIECE];
        try (FSDataOutputStream out =
                fs.create(path("/streams/" + number), true, 4_096, (short) 1, (long) PIECES * PIECE)) {
            for (int i = 0; i < PIECES; i++) {
                if (i == PIECES / 2) {
                    half.await();
                }
                random.nextBytes(piece);
                out.write(piece);
            }
        }
    }

    private void readStream(int number, CyclicBarrier half) throws Exception {
        Random random = new Random(number);
        byte[] piece = new byte[PIECE];
        byte[] read = new byte[PIECE];
        try (FSDataInputStream in = fs.open(path("/streams/" + number))) {
            for (int i = 0; i < PIECES; i++) {
                if (i == PIECES / 2) {
                    half.await();
                }
                random.nextBytes(piece);
                in.readFully(read);
                assertThat(Arrays.equals(read, piece))
                        .as("piece %d of %d", i, number)
                        .isTrue();
            }
            assertThat(in.read()).isEqualTo(-1);
        }
    }

    private void kill(String service) throws Exception {
        ProcessHandle process = cluster.service(service).orElseThrow();
        process.destroyForcibly();
        process.onExit().get();
    }

    @Test
    void shouldTellInOneLineWhySnapshotsAreRefused() throws Exception {
        fs.mkdirs(path("/snapshots"));
        CommandRun run = CommandRun.lambdafs("fs", "--dir", directory, "-createSnapshot", "/snapshots");
        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.err().lines())
                .singleElement()
                .asString()
                .startsWith("createSnapshot: ")
                .contains("LFS-121", "Directory is not a snapshottable directory: /snapshots");
    }

    @Test
    void shouldLeaveNothingOfAWriterThatFails() throws Exception {
        FSDataOutputStream out = fs.create(path("/fails"));
        out.write(new byte[BLOCK + BLOCK / 2]);
        await().until(() -> objects() > 0);
        fs.delete(path("/fails"), false);
        write(path("/fails"), new byte[1], 1);
        assertThatThrownBy(out::close).isInstanceOf(IOException.class);
        assertThat(read(path("/fails"))).isEqualTo(new byte[1]);
    }
}
