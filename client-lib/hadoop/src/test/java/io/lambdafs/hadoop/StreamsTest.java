package io.lambdafs.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.StreamStatisticNames;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of streams beyond reading and writing. */
class StreamsTest {
    private static final Path FILE = new Path("/f");

    @TempDir
    private java.nio.file.Path directory;

    private TestService service;
    private FileSystem fs;

    @BeforeEach
    void open() throws IOException {
        service = new TestService(directory);
        Configuration conf = new Configuration(false);
        conf.set("lambdafs.dir", directory.toString());
        fs = FileSystem.newInstance(URI.create("lambdafs:///"), conf);
        try (FSDataOutputStream out = fs.create(FILE)) {
            out.write("0123456789".getBytes(StandardCharsets.US_ASCII));
        }
    }

    @AfterEach
    void close() throws IOException {
        fs.close();
        service.close();
    }

    private static String text(ByteBuffer buffer) {
        return StandardCharsets.US_ASCII.decode(buffer.flip()).toString();
    }

    @Test
    void shouldReadIntoBuffersOfBothKinds() throws IOException {
        try (FSDataInputStream in = fs.open(FILE)) {
            ByteBuffer direct = ByteBuffer.allocateDirect(4);
            assertThat(in.read(direct)).isEqualTo(4);
            assertThat(text(direct)).isEqualTo("0123");
            ByteBuffer heap = ByteBuffer.allocate(20);
            assertThat(in.read(7, heap)).isEqualTo(3);
            assertThat(text(heap)).isEqualTo("789");
            assertThat(in.getPos()).isEqualTo(4);
            ByteBuffer full = ByteBuffer.allocate(5);
            in.readFully(5, full);
            assertThat(text(full)).isEqualTo("56789");
            assertThatThrownBy(() -> in.readFully(6, ByteBuffer.allocate(5))).isInstanceOf(EOFException.class);
            assertThatThrownBy(() -> in.read(-1, ByteBuffer.allocate(5))).isInstanceOf(EOFException.class);
            assertThat(in.read(10, ByteBuffer.allocate(5))).isEqualTo(-1);
            assertThat(in.read(ByteBuffer.allocate(0))).isZero();
        }
    }

    @Test
    void shouldTakeAdviceAndDeclareIt() throws IOException {
        try (FSDataInputStream in = fs.open(FILE)) {
            in.setDropBehind(true);
            in.setReadahead(1_024L);
            in.seek(3);
            in.unbuffer();
            assertThat(in.getPos()).isEqualTo(3);
            assertThat(in.read()).isEqualTo('3');
            for (String capability : List.of(
                    StreamCapabilities.READBYTEBUFFER,
                    StreamCapabilities.PREADBYTEBUFFER,
                    StreamCapabilities.READAHEAD,
                    StreamCapabilities.DROPBEHIND,
                    StreamCapabilities.UNBUFFER,
                    StreamCapabilities.IOSTATISTICS)) {
                assertThat(in.hasCapability(capability)).as(capability).isTrue();
            }
            assertThat(in.hasCapability(StreamCapabilities.HSYNC)).isFalse();
        }
        try (FSDataOutputStream out = fs.create(FILE)) {
            out.setDropBehind(false);
            assertThat(out.hasCapability(StreamCapabilities.DROPBEHIND)).isTrue();
            assertThat(out.hasCapability(StreamCapabilities.HSYNC)).isTrue();
        }
    }

    @Test
    void shouldCountWhatStreamsDo() throws IOException {
        try (FSDataInputStream in = fs.open(FILE)) {
            assertThat(in.read(new byte[4])).isEqualTo(4);
            assertThat(in.read(8, new byte[4], 0, 4)).isEqualTo(2);
            in.seek(5);
            assertThat(in.skip(2)).isEqualTo(2);

            IOStatistics counts = in.getIOStatistics();
            assertThat(counts.counters())
                    .containsEntry(StreamStatisticNames.STREAM_READ_BYTES, 6L)
                    .containsEntry(StreamStatisticNames.STREAM_READ_OPERATIONS, 2L)
                    .containsEntry(StreamStatisticNames.STREAM_READ_SEEK_OPERATIONS, 1L)
                    .containsEntry(StreamStatisticNames.STREAM_READ_SKIP_BYTES, 2L);
        }
        FSDataOutputStream out = fs.create(FILE);
        out.write(new byte[70_000]);
        assertThat(out.getIOStatistics().counters()).containsEntry(StreamStatisticNames.STREAM_WRITE_BYTES, 70_000L);
        assertThatThrownBy(() -> out.write(new byte[1 << 20])).isInstanceOf(IOException.class);
        assertThat(out.getIOStatistics().counters()).containsEntry(StreamStatisticNames.STREAM_WRITE_EXCEPTIONS, 1L);
        assertThatThrownBy(out::close).isInstanceOf(IOException.class);
    }

    private interface Opens {
        Closeable open() throws IOException;
    }

    /** Bytes that the calling thread allocates to open and close a stream, in the batch that allocated least. */
    private static long bytes(Opens opens) throws IOException {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 10; i++) {
            long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
            for (int j = 0; j < 100; j++) {
                opens.open().close();
            }
            long after = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
            least = Math.min(least, (after - before) / 100);
        }
        return least;
    }

    @Test
    void shouldAllocateLittleForStreamsThatDoNothing() throws IOException {
        // A sixth above what was measured; a table of counters for each stream would be more.
        assertThat(bytes(() -> fs.create(FILE))).isLessThan(7_000);
        assertThat(bytes(() -> fs.open(FILE))).isLessThan(7_000);
    }
}
