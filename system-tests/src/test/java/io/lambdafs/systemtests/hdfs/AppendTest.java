package io.lambdafs.systemtests.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.datanode.memory.MemoryBlockStore;
import io.lambdafs.store.format.Fsck;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LeaseRecoverable;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of appends, of syncs before the close, and of recovered leases. */
class AppendTest {
    private static final int BLOCK = 1 << 20;
    private static final Path FILE = new Path("/d/file");

    @TempDir
    private java.nio.file.Path directory;

    private final MemoryBlockStore blocks = new MemoryBlockStore();
    private LambdaServers servers;
    private BlockServer datanode;
    private FileSystem fs;

    @BeforeEach
    void start() throws IOException {
        servers = new LambdaServers(LambdaServers.Caching.WARM, directory);
        datanode = new BlockServer("d1", blocks, servers.store());
        fs = servers.fileSystem(directory);
    }

    @AfterEach
    void stop() throws IOException {
        fs.close();
        assertThat(Fsck.check(servers.store().rows()).problems()).isEmpty();
        datanode.close();
        servers.close();
    }

    private static byte[] content(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private FSDataOutputStream create() throws IOException {
        return fs.create(FILE, true, 4_096, (short) 1, BLOCK);
    }

    private void write(byte[] content) throws IOException {
        try (FSDataOutputStream out = create()) {
            out.write(content);
        }
    }

    private byte[] read() throws IOException {
        try (InputStream in = fs.open(FILE)) {
            return in.readAllBytes();
        }
    }

    private int objects() {
        return blocks.list("", "", 100).size();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 10, 60_000, 200_000, 2 * BLOCK + 5})
    void shouldAddToWhatIsThereAndShowItUntilThen(int length) throws IOException {
        byte[] before = content(length);
        byte[] added = content(BLOCK + 7);
        write(before);
        try (FSDataOutputStream out = fs.append(FILE)) {
            assertThat(out.getPos()).isEqualTo(length);
            assertThat(read()).isEqualTo(before);
            out.write(added, 0, 3);
            assertThat(read()).isEqualTo(before);
            out.write(added, 3, added.length - 3);
        }
        assertThat(read()).isEqualTo(joined(before, added));
        assertThat(fs.getFileStatus(FILE).getLen()).isEqualTo(length + added.length);
        try (FSDataOutputStream out = fs.append(FILE)) {
            out.write(before, 0, Math.min(10, length));
        }
        assertThat(read()).isEqualTo(joined(before, added, Arrays.copyOf(before, Math.min(10, length))));
    }

    @ParameterizedTest
    @ValueSource(ints = {1_000, BLOCK, 2 * BLOCK + 5})
    void shouldCutWhatIsThereAndAddToTheRest(int length) throws IOException {
        byte[] before = content(length);
        write(before);
        try (FSDataInputStream open = fs.open(FILE)) {
            assertThat(fs.truncate(FILE, length - 7)).isTrue();
            assertThat(read()).isEqualTo(Arrays.copyOf(before, length - 7));
            assertThat(open.readAllBytes()).isEqualTo(before);
        }
        try (FSDataOutputStream out = fs.append(FILE)) {
            out.write(before, 0, 10);
        }
        assertThat(read()).isEqualTo(joined(Arrays.copyOf(before, length - 7), Arrays.copyOf(before, 10)));
        assertThat(fs.truncate(FILE, 0)).isTrue();
        assertThat(read()).isEmpty();
        assertThatThrownBy(() -> fs.truncate(FILE, 1)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> fs.truncate(FILE, -1)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> fs.truncate(FILE.getParent(), 0)).isInstanceOf(FileNotFoundException.class);
        try (FSDataOutputStream out = fs.append(FILE)) {
            out.write(before);
        }
        assertThat(read()).isEqualTo(before);
    }

    @Test
    void shouldConcatenateFilesOfAllSizes() throws IOException {
        int[] lengths = {1_000, 1, BLOCK + 5, 70_000};
        Path[] sources = new Path[lengths.length];
        byte[] all = content(10);
        write(all);
        for (int i = 0; i < lengths.length; i++) {
            sources[i] = new Path(FILE.getParent(), "source" + i);
            try (FSDataOutputStream out = fs.create(sources[i], true, 4_096, (short) 1, BLOCK)) {
                out.write(content(lengths[i]));
            }
            all = joined(all, content(lengths[i]));
        }
        fs.concat(FILE, sources);
        assertThat(read()).isEqualTo(all);
        assertThat(fs.listStatus(FILE.getParent())).hasSize(1);
    }

    @Test
    void shouldLeaveASmallFileWhereItIsWhenNothingIsAdded() throws IOException {
        write(content(1_000));
        fs.append(FILE).close();
        assertThat(objects()).isZero();
        assertThat(read()).isEqualTo(content(1_000));
        fs.append(FILE).close();
        assertThat(((LeaseRecoverable) fs).isFileClosed(FILE)).isTrue();
    }

    @Test
    void shouldKeepWhatWasThereWhereAWriterFails() throws IOException {
        write(content(1_000));
        FSDataOutputStream out = fs.append(FILE);
        out.write(content(5));
        ((LeaseRecoverable) fs).recoverLease(FILE);
        assertThat(read()).isEqualTo(content(1_000));
        assertThatThrownBy(out::close).isInstanceOf(IOException.class).hasMessageContaining("LFS-114");
        assertThat(read()).isEqualTo(content(1_000));
    }

    @Test
    void shouldRefuseTheSecondWriterAndADirectoryAndWhatIsMissing() throws IOException {
        write(content(1_000));
        try (FSDataOutputStream first = fs.append(FILE)) {
            first.write(1);
            assertThatThrownBy(() -> fs.append(FILE))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("LFS-115");
        }
        assertThatThrownBy(() -> fs.append(FILE.getParent())).isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> fs.append(new Path("/none"))).isInstanceOf(FileNotFoundException.class);
    }

    @Test
    void shouldShowWhatIsSynced() throws IOException {
        byte[] all = content(3 * BLOCK);
        FSDataOutputStream out = create();
        out.hsync();
        assertThat(read()).isEmpty();
        out.write(all, 0, 100);
        out.hflush();
        assertThat(read()).isEqualTo(Arrays.copyOf(all, 100));
        out.hsync();
        out.write(all, 100, BLOCK + 50);
        out.hsync();
        assertThat(read()).isEqualTo(Arrays.copyOf(all, BLOCK + 150));
        out.write(all, BLOCK + 150, all.length - BLOCK - 150);
        out.close();
        assertThat(read()).isEqualTo(all);
    }

    @Test
    void shouldCloseAFileInThePlaceOfItsWriter() throws IOException {
        FSDataOutputStream out = create();
        out.write(content(2_000));
        out.hsync();
        out.write(1);
        LeaseRecoverable recoverable = (LeaseRecoverable) fs;
        assertThat(recoverable.isFileClosed(FILE)).isFalse();
        assertThatThrownBy(() -> fs.getFileChecksum(FILE)).hasMessageContaining("is being written");
        assertThat(recoverable.recoverLease(FILE)).isTrue();
        assertThat(fs.getFileChecksum(FILE)).isNotNull();
        assertThat(recoverable.isFileClosed(FILE)).isTrue();
        assertThat(recoverable.recoverLease(FILE)).isTrue();
        assertThatThrownBy(out::close).isInstanceOf(IOException.class).hasMessageContaining("LFS-114");
        assertThat(read()).isEqualTo(content(2_000));
        assertThatThrownBy(() -> recoverable.recoverLease(new Path("/none"))).isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> recoverable.isFileClosed(new Path("/d"))).isInstanceOf(FileNotFoundException.class);
    }

    @Test
    void shouldRemoveAFileWhoseAppenderIsUnderWay() throws IOException {
        write(content(1_000));
        FSDataOutputStream out = fs.append(FILE);
        out.write(content(BLOCK + 3_000));
        fs.delete(FILE, false);
        assertThatThrownBy(out::close).isInstanceOf(FileNotFoundException.class);
        assertThat(fs.exists(FILE)).isFalse();
    }

    @Test
    void shouldAddTheFailureOfTheEndToTheFirstOne() {
        assertThatThrownBy(() -> {
                    try (FSDataOutputStream out = create()) {
                        fs.delete(FILE, false);
                        out.write(content(BLOCK));
                    }
                })
                .isInstanceOf(FileNotFoundException.class);
    }
}
