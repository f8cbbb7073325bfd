package io.lambdafs.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.store.Key;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.engine.ReadPool;
import java.sql.Connection;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Rows that are copied are those that would have been inserted, and a snapshot reads them; where one is there already nothing is copied. */
class BulkCopiesTest {
    private final SqlTables tables = new SqlTables();
    private final SqlTable table = tables.get(Schema.SLOTS);
    private final BulkCopies copies = new BulkCopies();

    private static List<Row> rows(int from, int count) {
        List<Row> rows = new ArrayList<>();
        for (int i = from; i < from + count; i++) {
            String client = "\0 \1 ' \\ é \uD83D\uDE00 " + i % 7;
            Row row =
                    new Row(Schema.SLOTS.key(client, i - 500L), Long.MIN_VALUE + i, new byte[] {0, (byte) i, -1}, -7L);
            rows.add(i % 2 == 0 ? row : row.withUnknown(new byte[] {4, 0, (byte) i}));
        }
        return rows;
    }

    private Map<Key, Row> found(Connection connection, List<Row> wanted) throws Exception {
        return tables.read(connection, wanted.stream().map(Row::key).toList());
    }

    private static List<Row> sorted(List<Row> rows) {
        return rows.stream().sorted(Comparator.comparing(Row::key)).toList();
    }

    private List<Row> snapshot(TestPostgres postgres) {
        List<Row> all = new ArrayList<>();
        try (ReadPool readers = new ReadPool(1, "a test")) {
            SqlSnapshot snapshot = SqlSnapshot.take(postgres.settings(), tables, readers);
            List<Row> page;
            do {
                Key last = all.isEmpty() ? null : all.get(all.size() - 1).key();
                page = snapshot.page(Schema.SLOTS, last).toCompletableFuture().join();
                all.addAll(page);
            } while (!page.isEmpty());
            snapshot.close();
        }
        return all;
    }

    @Test
    void shouldCopyManyRowsThatAreNotThere() throws Exception {
        TestPostgres postgres = TestPostgres.emptied();
        try (SqlDatabase database = new SqlDatabase(postgres.settings())) {
            database.take();
            try (Connection connection = postgres.connect()) {
                connection.setAutoCommit(false);
                List<Row> first = rows(0, BulkCopies.LEAST_ROWS);
                assertThat(copies.copy(connection, table, first.subList(1, first.size())))
                        .as("too few")
                        .isFalse();
                assertThat(found(connection, first)).isEmpty();
                assertThat(copies.copy(connection, table, first)).isTrue();
                Map<Key, Row> expected = first.stream().collect(Collectors.toMap(Row::key, Function.identity()));
                assertThat(found(connection, first)).isEqualTo(expected);

                // The last one of these is there, and the transaction goes on without the others.
                List<Row> second = new ArrayList<>(rows(BulkCopies.LEAST_ROWS, BulkCopies.LEAST_ROWS));
                second.add(first.get(0));
                assertThat(copies.copy(connection, table, second)).isFalse();
                assertThat(found(connection, second))
                        .containsOnlyKeys(first.get(0).key());
                List<Row> third = rows(2 * BulkCopies.LEAST_ROWS, BulkCopies.LEAST_ROWS);
                assertThat(copies.copy(connection, table, third))
                        .as("a table whose rows are changed")
                        .isFalse();
                connection.commit();
                assertThat(snapshot(postgres)).containsExactlyElementsOf(sorted(first));
            }
        }
    }

    /** A copy that is left open takes the connection with it. */
    @Test
    void shouldLeaveTheConnectionFreeWhereACopyBreaksOff() throws Exception {
        TestPostgres postgres = TestPostgres.emptied();
        try (SqlDatabase database = new SqlDatabase(postgres.settings())) {
            database.take();
            try (Connection connection = postgres.connect()) {
                connection.setAutoCommit(false);
                List<Row> whole = rows(0, BulkCopies.LEAST_ROWS);
                List<Row> broken = new AbstractList<>() {
                    @Override
                    public Row get(int index) {
                        if (index == whole.size() - 1) {
                            throw new IllegalStateException("no such row");
                        }
                        return whole.get(index);
                    }

                    @Override
                    public int size() {
                        return whole.size();
                    }
                };

                assertThatThrownBy(() -> copies.copy(connection, table, broken)).hasMessage("no such row");
                connection.rollback();

                assertThat(found(connection, whole)).isEmpty();
                assertThat(copies.copy(connection, table, whole)).isTrue();
            }
        }
    }
}
