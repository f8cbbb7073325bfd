package io.lambdafs.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.testkit.RamDisk;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.ThreadScheduler;
import io.lambdafs.store.engine.StoreLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A small file system fills up under a store. Needs the right to mount one; skipped elsewhere. */
@Tag("once")
@Tag("slow")
class FullDiskTest {
    private static final int MEBIBYTE = 1 << 20;

    @TempDir
    private Path folder;

    private final ThreadScheduler scheduler = new ThreadScheduler();
    private final Random random = new Random(11);
    private RamDisk disk;
    private int written;

    @BeforeEach
    void mount() throws Exception {
        disk = RamDisk.mountOrSkip(folder, 64);
        disk.fill(40 * MEBIBYTE);
    }

    @AfterEach
    void unmount() throws Exception {
        scheduler.close();
        if (disk != null) {
            disk.close();
        }
    }

    private RocksStore open(long minFreeBytes) {
        RocksSettings settings = RocksSettings.of(folder.resolve("store"))
                .withCacheBytes(MEBIBYTE)
                .withMemtableBytes(MEBIBYTE)
                .withMinFreeBytes(minFreeBytes);
        return RocksStore.open(scheduler, StoreLimits.defaults(), settings);
    }

    private static Key key(int i) {
        return Schema.SMALL_FILES.key(1L, (long) i);
    }

    private CompletableFuture<Void> put(RocksStore store, int i) {
        byte[] content = new byte[32 << 10];
        random.nextBytes(content); // nothing that compresses
        content[0] = (byte) i;
        return store.begin(0)
                .commit(List.of(new Mutation.Put(new Row(key(i), content))), Long.MAX_VALUE)
                .toCompletableFuture();
    }

    private void fill(RocksStore store) {
        assertThatThrownBy(() -> {
                    for (int i = written; i < 10_000; i++) {
                        put(store, i).join();
                        written = i + 1;
                    }
                })
                .cause()
                .isInstanceOfSatisfying(
                        FsException.class,
                        e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(ErrorCode.STORE_FULL))
                .hasMessageContaining(folder.resolve("store").toString());
        assertThat(written).isPositive();
    }

    private void assertComplete(RocksStore store) {
        StoreTransaction transaction = store.begin(0);
        for (int i = 0; i <= written; i++) {
            Row row = transaction
                    .read(List.of(Read.unlocked(key(i))), 0)
                    .toCompletableFuture()
                    .join()
                    .get(0);
            if (i == written) {
                assertThat(row).as("the refused one").isNull();
            } else {
                assertThat(row).as("row %d of %d", i, written).isNotNull();
                assertThat(row.bytes(0)[0]).isEqualTo((byte) i);
            }
        }
        transaction.abort();
    }

    @Test
    void shouldRefuseWritesWhileTheDiskIsFullAndLoseNothing() throws IOException {
        try (RocksStore store = open(0)) {
            fill(store);
            assertComplete(store);
            // Refused again and again, in groups too, and never half done.
            List<CompletableFuture<Void>> more = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                more.add(put(store, 20_000 + i));
            }
            more.forEach(commit -> commit.handle((done, thrown) -> thrown).join());
            assertComplete(store);
            disk.fill(0);
            fill(store);
            assertComplete(store);
            disk.empty();
            await().until(() ->
                    put(store, written).handle((done, thrown) -> thrown == null).join());
            written++;
            assertComplete(store);
        }
        try (RocksStore store = open(0)) {
            assertComplete(store);
        }
    }

    @Test
    void shouldKeepAReserveInWhichDeletesStillWork() throws IOException {
        try (RocksStore store = open(8 * MEBIBYTE)) {
            fill(store);
            assertThat(Files.getFileStore(folder).getUsableSpace()).isGreaterThan(4 * MEBIBYTE);
            assertComplete(store);
            store.begin(0)
                    .commit(List.of(new Mutation.Delete(key(written - 1))), Long.MAX_VALUE)
                    .toCompletableFuture()
                    .join();
            written--;
            assertComplete(store);
            disk.empty();
            put(store, written).join();
            written++;
            assertComplete(store);
        }
    }

    private static CompletableFuture<Void> commit(RocksStore store, Mutation... mutations) {
        return store.begin(0).commit(List.of(mutations), Long.MAX_VALUE).toCompletableFuture();
    }

    @Test
    void shouldRefuseOnlyWhatGrowsTheNamespaceInTheReserve() throws IOException {
        Mutation taken = new Mutation.Put(new Row(Schema.SEQUENCES.key("epoch"), 8L));
        Mutation joined = new Mutation.Put(new Row(Schema.INSTANCES.key(7L), 1L, "i-1", 1_000L));
        Mutation answered = new Mutation.Put(new Row(Schema.SLOTS.key("client", 0L), 1L, new byte[40], 2_000L));
        try (RocksStore store = open(8 * MEBIBYTE)) {
            fill(store);
            // Far enough below the reserve that no log which the store drops lifts it again.
            disk.fill(3 * MEBIBYTE);
            // An instance joins; a file is removed; a file is renamed into another directory.
            commit(store, taken, joined).join();
            commit(store, answered, new Mutation.Delete(Schema.INODES.key(1L, "f")), Rows.childrenChanged(1, -1, 5))
                    .join();
            commit(store, answered, Rows.childrenChanged(1, -1, 5), Rows.childrenChanged(2, 1, 5))
                    .join();
            // A directory is made.
            assertThatThrownBy(() -> commit(store, answered, Rows.childrenChanged(1, 1, 6))
                            .join())
                    .cause()
                    .isInstanceOfSatisfying(
                            FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_FULL));
            assertComplete(store);
        }
    }
}
