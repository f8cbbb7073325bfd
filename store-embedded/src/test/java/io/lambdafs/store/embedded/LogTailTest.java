package io.lambdafs.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.store.ThreadScheduler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/** Compares the computed end of RocksDB's log with the log. */
class LogTailTest {
    private static final int BLOCK = 1 << 15;

    @TempDir
    private Path folder;

    private final ThreadScheduler scheduler = new ThreadScheduler();

    @AfterEach
    void close() {
        scheduler.close();
    }

    private Path log() throws IOException {
        return WalFiles.list(folder).lastEntry().getValue();
    }

    private static long write(Database database, int valueBytes) throws RocksDBException {
        try (WriteBatch batch = new WriteBatch()) {
            batch.put(new byte[] {1}, new byte[valueBytes]);
            database.write(batch);
            return batch.getDataSize();
        }
    }

    @Test
    void shouldReckonWhereALogEnds() throws Exception {
        // Without fsync there are no zeros.
        RocksSettings settings = RocksSettings.of(folder).withFsync(false);
        try (Database database = Database.open(scheduler, settings)) {
            Random random = new Random(1);
            long end = 0;
            int skipped = 0;
            for (int i = 0; i < 20_000; i++) {
                // Small ones, so that a block's rest is of every length, and some of several blocks.
                int bytes = i % 1_000 == 0 ? random.nextInt(3 * BLOCK) : random.nextInt(60);
                end = LogTail.after(end, write(database, bytes));
                assertThat(end).as("after record %s", i).isEqualTo(Files.size(log()));
                long rest = BLOCK - end % BLOCK;
                skipped += rest < 7 ? 1 : 0;
            }
            assertThat(skipped)
                    .as("rests of a block that have no room for a header")
                    .isGreaterThan(2);
        }
    }

    @Test
    void shouldKeepZerosBehindTheEnd() throws Exception {
        try (Database database = Database.open(scheduler, RocksSettings.of(folder))) {
            for (int i = 0; i < 300; i++) {
                write(database, 5_000);
                WalWatermark.Position end = WalWatermark.read(folder).orElseThrow();
                byte[] bytes = Files.readAllBytes(log());
                assertThat(bytes.length - end.length()).isGreaterThan(50_000);
                assertThat(Arrays.mismatch(
                                bytes,
                                (int) end.length(),
                                bytes.length,
                                new byte[bytes.length],
                                0,
                                bytes.length - (int) end.length()))
                        .as("behind the end")
                        .isEqualTo(-1);
            }
        }
    }

    @Test
    void shouldNoticeThatANewLogHasBegun() throws Exception {
        RocksSettings settings = RocksSettings.of(folder).withMemtableBytes(64 << 10);
        try (Database database = Database.open(scheduler, settings)) {
            long first = WalFiles.list(folder).lastKey();
            for (int i = 0; i < 200; i++) {
                write(database, 5_000);
                WalWatermark.Position end = WalWatermark.read(folder).orElseThrow();
                assertThat(end.wal()).isEqualTo(WalFiles.list(folder).lastKey());
                assertThat(end.length()).isBetween(5_000L, 200_000L);
            }
            assertThat(WalFiles.list(folder).lastKey()).isGreaterThan(first + 5);
        }
    }

    @Test
    void shouldGrowWhereAGroupIsLargerThanTheZeros() throws Exception {
        try (Database database = Database.open(scheduler, RocksSettings.of(folder))) {
            write(database, 100);
            write(database, 2_000_000);
            write(database, 100);
            WalWatermark.Position end = WalWatermark.read(folder).orElseThrow();
            assertThat(end.length()).isBetween(2_000_200L, 2_010_000L);
            assertThat(Files.size(log())).isGreaterThan(end.length());
        }
    }
}
