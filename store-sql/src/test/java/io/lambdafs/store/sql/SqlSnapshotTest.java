package io.lambdafs.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.engine.ReadPool;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A snapshot's session: what it reads in parts, and that it ends. */
class SqlSnapshotTest {
    private static final int ROWS = 700;
    private static final int ROW_BYTES = 10_000;
    private static final String OF_SNAPSHOT =
            " FROM pg_stat_activity WHERE application_name = 'lambdafs-store' AND state = 'idle in transaction'";

    private final ReadPool readers = new ReadPool(1, "a test");
    private final SqlTables tables = new SqlTables();
    private @Nullable TestPostgres postgres;
    private @Nullable SqlDatabase database;

    @BeforeEach
    void fill() throws Exception {
        postgres = TestPostgres.emptied();
        database = new SqlDatabase(postgres.settings());
        database.take();
        List<Mutation> puts = LongStream.range(0, ROWS)
                .mapToObj(i -> (Mutation) new Mutation.Put(row(i)))
                .toList();
        database.write(1, List.of(puts), new BitSet());
    }

    @AfterEach
    void close() {
        readers.close();
        if (database != null) {
            database.close();
        }
    }

    private static Row row(long number) {
        return new Row(Schema.SLOTS.key("client", number), number, new byte[ROW_BYTES], 0L);
    }

    private List<Row> page(SqlSnapshot snapshot, @Nullable Key after) {
        return snapshot.page(Schema.SLOTS, after).toCompletableFuture().join();
    }

    private void awaitNoSession() throws Exception {
        postgres.await("SELECT count(*) = 0 FROM pg_stat_activity WHERE application_name = 'lambdafs-store'"
                + " AND (state LIKE 'idle in%' OR query LIKE 'COPY%')");
    }

    @Test
    void shouldReadAllRowsByPagesOfSomeMegabytes() throws Exception {
        SqlSnapshot snapshot = SqlSnapshot.take(postgres.settings(), tables, readers);
        List<Row> all = new ArrayList<>();
        int pages = 0;
        while (all.size() < ROWS) {
            List<Row> page = page(
                    snapshot, all.isEmpty() ? null : all.get(all.size() - 1).key());
            assertThat(page).isNotEmpty();
            all.addAll(page);
            pages++;
        }
        assertThat(all)
                .isEqualTo(
                        LongStream.range(0, ROWS).mapToObj(SqlSnapshotTest::row).toList());
        assertThat(pages).isGreaterThan(1);
        assertThat(page(snapshot, all.get(ROWS - 1).key())).isEmpty();
        assertThat(page(snapshot, all.get(4).key())).first().isEqualTo(row(5));
        snapshot.close();
        awaitNoSession();
    }

    @Test
    void shouldEndItsSessionWhereverItIs() throws Exception {
        SqlSnapshot unread = SqlSnapshot.take(postgres.settings(), tables, readers);
        postgres.await("SELECT count(*) = 1" + OF_SNAPSHOT);
        unread.close();
        awaitNoSession();
        SqlSnapshot amidst = SqlSnapshot.take(postgres.settings(), tables, readers);
        assertThat(page(amidst, null)).hasSizeBetween(1, ROWS - 1);
        amidst.close();
        awaitNoSession();
        amidst.close();
    }

    @Test
    void shouldSayThatItsSessionIsGone() throws Exception {
        SqlSnapshot snapshot = SqlSnapshot.take(postgres.settings(), tables, readers);
        postgres.execute("SELECT pg_terminate_backend(pid)" + OF_SNAPSHOT);
        awaitNoSession();
        assertThatThrownBy(() -> page(snapshot, null))
                .cause()
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE))
                .hasMessageContaining("the store cannot read its snapshot");
        snapshot.close();
    }

    @Test
    void shouldHoldNothingWhereItIsNotTaken() throws Exception {
        postgres.execute("DROP TABLE lambdafs.settings");
        assertThatThrownBy(() -> SqlSnapshot.take(postgres.settings(), tables, readers))
                .isInstanceOf(FsException.class)
                .hasMessageContaining("the store cannot take a snapshot");
        awaitNoSession();
    }
}
