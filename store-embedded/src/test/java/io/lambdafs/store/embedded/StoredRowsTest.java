package io.lambdafs.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.ThreadScheduler;
import io.lambdafs.store.engine.StoreLimits;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rows of a store, read beside whoever has it open. */
class StoredRowsTest {
    private static final Row TEXT = new Row(Schema.SETTINGS.key("format"), "1");
    private static final Row NUMBER = new Row(Schema.SEQUENCES.key("inode"), 17L);

    @TempDir
    private Path folder;

    private final ThreadScheduler scheduler = new ThreadScheduler();

    @AfterEach
    void close() {
        scheduler.close();
    }

    private RocksStore open() {
        // So small a memtable that what is written does not stay in the log alone.
        return RocksStore.open(
                scheduler, StoreLimits.defaults(), RocksSettings.of(folder).withMemtableBytes(64 << 10));
    }

    private static void put(RocksStore store, Row... rows) {
        List<Mutation> all = new ArrayList<>();
        for (Row row : rows) {
            all.add(new Mutation.Put(row));
        }
        store.begin(0).commit(all, Long.MAX_VALUE).toCompletableFuture().join();
    }

    private List<Row> rows() {
        return StoredRows.read(folder, found -> {
            List<Row> all = new ArrayList<>();
            found.forEach(all::add);
            return all;
        });
    }

    @Test
    void shouldShowWhatHasBeenCommittedWhileTheStoreIsOpenAndAfterwards() {
        try (RocksStore store = open()) {
            put(store, TEXT);
            assertThat(rows()).contains(TEXT).doesNotContain(NUMBER);
            put(store, NUMBER);
            assertThat(rows()).contains(TEXT, NUMBER).doesNotHaveDuplicates();
        }
        assertThat(rows()).contains(TEXT, NUMBER).doesNotHaveDuplicates();
        try (RocksStore store = open()) {
            put(store, new Row(Schema.SETTINGS.key("format"), "2"));
        }
        assertThat(rows()).doesNotContain(TEXT).contains(new Row(Schema.SETTINGS.key("format"), "2"), NUMBER);
    }

    @Test
    void shouldSayWhereThereIsNoStore() {
        assertThatThrownBy(this::rows).hasMessageContaining("there is no store in " + folder);
        assertThat(folder).isEmptyDirectory();
    }
}
