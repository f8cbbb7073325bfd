package io.lambdafs.systemtests.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.store.format.Fsck;
import java.io.IOException;
import java.io.InputStream;
import java.util.Random;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests programs on a block store that is busy, full, locked, or has lost or changed an object: never other bytes than
 * were written.
 */
abstract class FaultyBlocksCase {
    static final int BLOCK = 1 << 20;
    static final Path FILE = new Path("/d/file");

    @TempDir
    private java.nio.file.Path directory;

    final byte[] content = new byte[2 * BLOCK + 5];
    LambdaServers servers;
    FileSystem fs;
    private BlockFaults blocks;

    /** Starts instances, and a block store that their clients reach. */
    abstract BlockFaults start(java.nio.file.Path directory) throws IOException;

    @BeforeEach
    void start() throws IOException {
        new Random(1).nextBytes(content);
        blocks = start(directory);
        fs = servers.fileSystem(directory);
    }

    @AfterEach
    void stop() throws IOException {
        fs.close();
        assertThat(Fsck.check(servers.store().rows()).problems()).isEmpty();
        blocks.close();
        servers.close();
    }

    void write() throws IOException {
        try (FSDataOutputStream out = fs.create(FILE, true, 4_096, (short) 1, BLOCK)) {
            out.write(content);
        }
    }

    byte[] read() throws IOException {
        try (InputStream in = fs.open(FILE)) {
            return in.readAllBytes();
        }
    }

    @Test
    void shouldTryAgainWhereTheStoreIsBusyForAWhile() throws IOException {
        blocks.refuse(3, ErrorCode.UNAVAILABLE);
        write();
        assertThat(blocks.refusalsLeft()).isZero();
        blocks.refuse(5, ErrorCode.UNAVAILABLE);
        assertThat(read()).isEqualTo(content);
        assertThat(blocks.refusalsLeft()).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"STORE_FULL", "PERMISSION_DENIED"})
    void shouldSayWhichFileCannotBeWrittenAndLeaveNothingOfIt(ErrorCode code) throws IOException {
        blocks.refuse(1_000, code);
        assertThatThrownBy(this::write)
                .isInstanceOf(IOException.class)
                .hasMessageContaining(code.label())
                .hasMessageContaining(FILE.toString())
                .hasMessageContaining("store");
        assertThat(fs.exists(FILE)).isFalse();
        blocks.refuse(0, code);
        write();
        assertThat(read()).isEqualTo(content);
    }

    @Test
    void shouldSayWhichFileCannotBeReadWhereAnObjectIsChanged() throws IOException {
        write();
        for (long position : new long[] {0, 70_000, BLOCK - 1, BLOCK + 3}) {
            blocks.flip(position);
            assertThatThrownBy(this::read)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(ErrorCode.BLOCK_CORRUPT.label())
                    .hasMessageContaining(FILE.toString());
        }
        blocks.flip(-1);
        assertThat(read()).isEqualTo(content);
    }

    @Test
    void shouldSayWhichFileCannotBeReadWhereAnObjectIsLost() throws IOException {
        write();
        blocks.lose(blocks.keys().get(1));
        assertThatThrownBy(this::read)
                .isInstanceOf(IOException.class)
                .hasMessageContaining(ErrorCode.BLOCK_MISSING.label())
                .hasMessageContaining(FILE.toString());
        assertThat(fs.getFileStatus(FILE).getLen()).isEqualTo(content.length);
    }
}
