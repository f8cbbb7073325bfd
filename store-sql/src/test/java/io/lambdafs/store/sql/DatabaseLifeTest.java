package io.lambdafs.store.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.store.ChangeLog;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import io.lambdafs.store.database.Database;
import java.sql.Connection;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests whether a database that came back older is noticed, and what ends then. PROTOCOL: D6. */
class DatabaseLifeTest {
    private static final Key EPOCHS = Schema.SEQUENCES.key("epoch");

    @Test
    void shouldBeAnotherOnlyWhereBothAreKnown() {
        DatabaseLife life = new DatabaseLife("00000001/16384");
        assertThat(life.isAnother("00000002/16384")).isTrue();
        assertThat(life.isAnother("00000001/16385")).isTrue();
        assertThat(life.isAnother("00000001/16384")).isFalse();
        assertThat(life.isAnother("")).isFalse();
        assertThat(new DatabaseLife("").isAnother("00000001/16384")).isFalse();
    }

    @Test
    void shouldEndWhatWasBegunBefore() throws Exception {
        TestPostgres postgres = TestPostgres.emptied();
        List<Row> rows = List.of(
                new Row(Rows.instanceKey(7), 0L, "instance", 0L),
                new Row(Rows.epochKey(7), 0L),
                new Row(EPOCHS, 8L),
                new Row(ChangeLog.NEXT, 9L),
                new Row(ChangeLog.TRIMMED, 3L));
        List<Mutation> puts =
                rows.stream().map(row -> (Mutation) new Mutation.Put(row)).toList();
        try (SqlDatabase database = new SqlDatabase(postgres.settings());
                Connection connection = postgres.connect()) {
            database.take();
            database.write(1, List.of(puts), new BitSet());
            DatabaseLife life = DatabaseLife.of(connection, SqlSchema.HOLDER);
            assertThat(life.name()).matches("[0-9A-F]{8}/[0-9]+");
            assertThat(DatabaseLife.of(connection, SqlSchema.HOLDER)).isEqualTo(life);
            assertThat(DatabaseLife.of(connection, "lambdafs.inodes").isAnother(life.name()))
                    .as("a table that was made anew")
                    .isTrue();
            assertThat(DatabaseLife.of(connection, "lambdafs.nosuch").name())
                    .as("of a database that does not tell")
                    .isEmpty();
            DatabaseLife.endAll(connection);
            assertThat(database.read(rows.stream().map(Row::key).toList()))
                    .isEqualTo(Map.of(
                            EPOCHS,
                            new Row(EPOCHS, 8 + Database.SKIPPED),
                            ChangeLog.NEXT,
                            new Row(ChangeLog.NEXT, 9 + Database.SKIPPED),
                            ChangeLog.TRIMMED,
                            new Row(ChangeLog.TRIMMED, 8 + Database.SKIPPED)));
        }
    }
}
