package io.lambdafs.store.ndb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.testkit.Waits;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.SnapshotScan;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.ThreadScheduler;
import io.lambdafs.store.database.DatabaseStore;
import io.lambdafs.store.database.FullStore;
import io.lambdafs.store.engine.CommitObserver;
import io.lambdafs.store.engine.StoreLimits;
import io.lambdafs.store.ndb.row.RowTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Contents of small files on the disks of an NDB. */
@Tag("slow")
class DiskContentsTest {
    private static final int MEMORY_MB = 64;
    private static final int DISK_MB = 128;
    private static final int ROW_BYTES = 500_000;
    private static final long INODE = 7_000_000;
    private static final int[] LENGTHS = {0, 1, 7_000, 7_990, 8_000, 16_000, 65_536};

    private static final RowTable CONTENTS = RowTable.get(Schema.SMALL_FILES);

    private final ThreadScheduler scheduler = new ThreadScheduler();

    @Test
    void shouldKeepMoreThanFitsInMemoryAndLoseNothingOverARestart() throws Exception {
        try (TestNdb ndb = TestNdb.start(1, MEMORY_MB)) {
            try (DatabaseStore store = open(ndb, DISK_MB)) {
                FullStore full = new FullStore(store, ROW_BYTES);
                assertThat((long) full.assertSaysThatItIsFullAndLosesNothing() * ROW_BYTES)
                        .isGreaterThan((long) (MEMORY_MB << 20) * 3 / 2);
                full.assertTakesARowAgain();
                commit(store, new Mutation.Delete(Schema.SMALL_FILES.key(3L, 1L)));
                writeEachLength(store);
                assertThat(inMemory(ndb))
                        .as("parts in memory: the first of each row")
                        .isZero();
            }
            // Returns when a checkpoint has it, and all that was committed before.
            ndb.changeHolder(UnaryOperator.identity());
            ndb.restart();
            try (DatabaseStore store = open(ndb, 0)) {
                for (int length : LENGTHS) {
                    assertThat(read(store, row(length).key()))
                            .as("%d bytes", length)
                            .isEqualTo(row(length));
                }
                assertThat(partition(store)).containsExactlyElementsOf(rows());
                assertThat(snapshot(store)).containsAll(rows());
                shortenAndRemove(store);
                int before = onDisk(ndb);
                commit(store, new Mutation.Delete(row(65_536).key()));
                assertThat(onDisk(ndb)).as("parts on disk").isEqualTo(before - 8);
            }
        } finally {
            scheduler.close();
        }
    }

    @Test
    void shouldSayThatContentsAreInMemoryAlready() throws Exception {
        try (TestNdb ndb = TestNdb.start(1, MEMORY_MB)) {
            open(ndb, 0).close();
            assertThatThrownBy(() -> open(ndb, DISK_MB).close())
                    .isInstanceOfSatisfying(
                            FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
                    .hasMessageContaining("dump");
        } finally {
            scheduler.close();
        }
    }

    private DatabaseStore open(TestNdb ndb, int diskMb) throws Exception {
        return new DatabaseStore(scheduler, StoreLimits.defaults(), ndb.databaseOnDisk(diskMb), 4, CommitObserver.NONE);
    }

    private static Row row(int length) {
        byte[] content = new byte[length];
        new Random(length).nextBytes(content);
        return new Row(Schema.SMALL_FILES.key(INODE, (long) length + 1), content);
    }

    private static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (int length : LENGTHS) {
            rows.add(row(length));
        }
        return rows;
    }

    private static void writeEachLength(DatabaseStore store) {
        for (Row row : rows()) {
            commit(store, new Mutation.Put(row));
        }
    }

    /** A shorter row must not keep what is left of a longer one. */
    private static void shortenAndRemove(DatabaseStore store) {
        Key key = row(65_536).key();
        Row shorter = new Row(key, new byte[] {1, 2, 3});
        commit(store, new Mutation.Put(shorter));
        assertThat(read(store, key)).isEqualTo(shorter);
        commit(store, new Mutation.Delete(key));
        assertThat(read(store, key)).isNull();
        commit(store, new Mutation.Put(row(65_536)));
        assertThat(read(store, key)).isEqualTo(row(65_536));
    }

    /** Counts parts after the first in the table in memory. */
    private static int inMemory(TestNdb ndb) throws Exception {
        return ndb.count(CONTENTS.made(), CONTENTS.part());
    }

    private static int onDisk(TestNdb ndb) throws Exception {
        return ndb.count(Objects.requireNonNull(CONTENTS.onDisk()), CONTENTS.part());
    }

    private static List<Row> partition(DatabaseStore store) {
        StoreTransaction transaction = store.begin(0);
        List<Row> rows = await(transaction.scan(new Scan(Schema.SMALL_FILES, INODE, null, 100)));
        transaction.abort();
        return rows;
    }

    private static List<Row> snapshot(DatabaseStore store) {
        List<Row> all = new ArrayList<>();
        String snapshot = await(store.openSnapshot());
        List<Row> page = List.of();
        do {
            Key after = page.isEmpty() ? null : page.get(page.size() - 1).key();
            page = await(store.scanSnapshot(new SnapshotScan(snapshot, Schema.SMALL_FILES, after)));
            all.addAll(page);
        } while (!page.isEmpty());
        await(store.closeSnapshot(snapshot));
        return all;
    }

    private static void commit(DatabaseStore store, Mutation mutation) {
        await(store.begin(0).commit(List.of(mutation), Long.MAX_VALUE));
    }

    private static @Nullable Row read(DatabaseStore store, Key key) {
        return await(store.begin(0).readAndEnd(List.of(Read.unlocked(key)), 0)).get(0);
    }

    private static <T> T await(CompletionStage<T> stage) {
        return Waits.join(stage);
    }
}
