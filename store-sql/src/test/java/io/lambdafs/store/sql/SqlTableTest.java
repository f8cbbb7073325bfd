package io.lambdafs.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.store.Column;
import io.lambdafs.store.Schema;
import io.lambdafs.store.Table;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A table in words of SQL. */
class SqlTableTest {
    private static final List<String> NAMES =
            List.of("", "\0", "\0\0", "\0\1", "\0a", "\1", "\1\1", "\1\2", "\1a", "\2", "a", "a\0", "a\1", "a\1b", "é");

    @Test
    void shouldKeepEveryCharacterAndTheOrder() {
        byte[] before = null;
        for (String name : NAMES) {
            String text = SqlTable.toSql(name);
            assertThat(text).doesNotContain("\0");
            assertThat(SqlTable.fromSql(text)).isEqualTo(name);
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            if (before != null) {
                assertThat(Arrays.compareUnsigned(before, bytes)).as(name).isNegative();
            }
            before = bytes;
        }
        assertThat(SqlTable.toSql("plain")).isSameAs("plain");
        assertThat(SqlTable.fromSql("plain")).isSameAs("plain");
    }

    @Test
    void shouldMakeATableAndWhatAnEarlierOneLacks() {
        SqlTable table = new SqlTable(new Table(
                200,
                "things",
                1,
                List.of(Column.int64("id"), Column.string("name")),
                List.of(
                        Column.bytes("seal"),
                        Column.int64("size").orElse(-7L),
                        Column.string("owner").orElse("it's"),
                        Column.bytes("mark").orElse(new byte[0]))));
        String size = "\"size\" bigint DEFAULT -7 NOT NULL";
        String owner = "\"owner\" text COLLATE \"C\" DEFAULT 'it''s' NOT NULL";
        String mark = "\"mark\" bytea DEFAULT '' NOT NULL";
        assertThat(table.create())
                .containsExactly(
                        "CREATE TABLE IF NOT EXISTS lambdafs.things (\"id\" bigint NOT NULL, \"name\" text COLLATE \"C\" NOT"
                                + " NULL, \"seal\" bytea NOT NULL, " + size + ", " + owner + ", " + mark
                                + ", unknown_columns bytea NOT NULL DEFAULT '', PRIMARY KEY (\"id\", \"name\"))",
                        "ALTER TABLE lambdafs.things ADD COLUMN IF NOT EXISTS " + size,
                        "ALTER TABLE lambdafs.things ADD COLUMN IF NOT EXISTS " + owner,
                        "ALTER TABLE lambdafs.things ADD COLUMN IF NOT EXISTS " + mark);
        assertThat(table.requiredNames())
                .containsExactly("things.id", "things.name", "things.seal", "things.unknown_columns");
        assertThat(table.optionalNames()).containsExactly("things.size", "things.owner", "things.mark");
        assertThat(table.types())
                .containsEntry("name", "text COLLATE \"C\" NOT NULL")
                .hasSize(7);
    }

    @Test
    void shouldHaveTheTablesThatHaveRowsAndNoOther() {
        SqlTables tables = new SqlTables();
        assertThat(tables.all()).extracting(SqlTable::tableName).doesNotContain("listings");
        assertThat(tables.get(Schema.INODES).tableName()).isEqualTo("inodes");
        assertThatThrownBy(() -> tables.get(Schema.LISTINGS)).hasMessageContaining("listings has no rows");
    }
}
