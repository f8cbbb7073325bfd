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
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files that are too long to be kept with the metadata, through Hadoop's API, in a cluster of real processes with two datanodes. */
@Tag("once")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class FilesClusterTest {
    private static final int BLOCK = 1 << 20;
    private static final int LENGTH = 7 * BLOCK + 12_345;

    @TempDir
    static Path directory;

    private ClusterUnderTest cluster;
    private FileSystem fs;

    @BeforeAll
    void start() throws IOException {
        ObjectNode settings = JsonNodeFactory.instance.objectNode();
        settings.withObject("blocks").put("datanodes", 2);
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
            await().atMost(Duration.ofSeconds(30)).until(() -> fs.exists(path("/drained/1")));
            CommandRun run = CommandRun.lambdafs("datanode", "drain", "--dir", directory, "datanode-2");
            drained.set(true);
            assertThat(run.out()).as("%s", run).contains("datanode-2 is drained and stopped");
            assertThat(files.get(60, TimeUnit.SECONDS)).isGreaterThan(2);
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

    private void kill(String service) throws Exception {
        ProcessHandle process = cluster.service(service).orElseThrow();
        process.destroyForcibly();
        process.onExit().get(30, TimeUnit.SECONDS);
    }

    @Test
    void shouldLeaveNothingOfAWriterThatFails() throws Exception {
        FSDataOutputStream out = fs.create(path("/fails"));
        out.write(new byte[BLOCK + BLOCK / 2]);
        await().atMost(Duration.ofSeconds(10)).until(() -> objects() > 0);
        fs.delete(path("/fails"), false);
        write(path("/fails"), new byte[1], 1);
        assertThatThrownBy(out::close).isInstanceOf(IOException.class);
        assertThat(read(path("/fails"))).isEqualTo(new byte[1]);
    }
}
