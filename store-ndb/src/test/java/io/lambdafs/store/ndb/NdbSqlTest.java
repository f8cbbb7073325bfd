package io.lambdafs.store.ndb;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.store.Schema;
import io.lambdafs.store.Table;
import io.lambdafs.store.engine.SchemaComments;
import io.lambdafs.store.ndb.row.DiskSpace;
import io.lambdafs.store.ndb.row.NdbTable;
import io.lambdafs.store.ndb.row.RowTable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The printed SQL creates the same tables as the server does. */
class NdbSqlTest {
    private static String statement(NdbTable table) {
        String columns = Stream.concat(table.key().stream(), table.values().stream())
                .map(field -> "`" + field.name() + "` "
                        + switch (field.kind()) {
                            case NUMBER -> "bigint";
                            case PART -> "int unsigned";
                            case BYTES -> "varbinary(" + field.bytes() + ")";
                        }
                        + " NOT NULL")
                .collect(Collectors.joining(", "));
        String keys =
                table.key().stream().map(field -> "`" + field.name() + "`").collect(Collectors.joining(", "));
        return "CREATE TABLE IF NOT EXISTS lambdafs.`" + table.name() + "` (" + columns + ", PRIMARY KEY (" + keys
                + ")) ENGINE=NDBCLUSTER" + (table.logged() ? "" : " COMMENT='NDB_TABLE=NOLOGGING=1'")
                + " PARTITION BY KEY (`" + table.key().get(0).name() + "`)";
    }

    /** Without the comments for people: NDB's own client makes none. */
    private static List<String> plain(List<String> statements) {
        return statements.stream()
                .map(each -> each.replaceAll(" COMMENT[ =]'(?!NDB_)(''|[^'])*'", ""))
                .toList();
    }

    @Test
    void shouldPrintTheTablesThatAreMade() {
        List<NdbTable> made = new ArrayList<>(List.of(MadeTables.TABLE, HolderRow.ALIVE, HolderRow.TABLE));
        RowTable.all().forEach(each -> made.add(each.made()));
        List<String> printed = plain(new NdbSql().apply(false));
        assertThat(printed.get(0)).isEqualTo("CREATE DATABASE IF NOT EXISTS lambdafs");
        assertThat(printed.subList(1, printed.size()))
                .containsExactlyInAnyOrderElementsOf(
                        made.stream().map(NdbSqlTest::statement).toList());
    }

    @Test
    void shouldPrintTheTableOfContentsOnDiskAndItsTablespaceAtTheEnd() {
        List<String> inMemory = plain(new NdbSql().apply(false));
        List<String> printed = plain(new NdbSql().apply(true));
        assertThat(printed).startsWith(inMemory.toArray(String[]::new)).hasSize(inMemory.size() + 3);
        assertThat(printed.get(inMemory.size())).startsWith("CREATE LOGFILE GROUP " + DiskSpace.UNDO + " ");
        assertThat(printed.get(inMemory.size() + 1)).startsWith("CREATE TABLESPACE " + DiskSpace.NAME + " ");
        NdbTable onDisk = RowTable.get(Schema.SMALL_FILES).onDisk();
        assertThat(printed.get(inMemory.size() + 2))
                .isEqualTo(statement(onDisk)
                        .replace("varbinary(7998) NOT NULL, PRIMARY", "varbinary(7998) NOT NULL STORAGE DISK, PRIMARY")
                        .replace("ENGINE=NDBCLUSTER", "ENGINE=NDBCLUSTER TABLESPACE=lambdafs"));
    }

    @Test
    void shouldPrintWhatTablesAndKeysMean() {
        List<String> printed = new NdbSql().apply(true);
        Schema.TABLES.stream().filter(Table::hasRows).forEach(table -> {
            assertThat(printed)
                    .anySatisfy(each -> assertThat(each)
                            .startsWith("CREATE TABLE IF NOT EXISTS lambdafs.`" + table.name() + "` ")
                            .contains(" COMMENT='" + SchemaComments.of(table).replace("'", "''") + "' PARTITION"));
            table.keyColumns()
                    .forEach(column -> assertThat(printed)
                            .anySatisfy(each -> assertThat(each)
                                    .contains("lambdafs.`" + table.name() + "` ", "`" + column.name() + "` ")
                                    .contains(" NOT NULL COMMENT '"
                                            + SchemaComments.of(table, column).replace("'", "''") + "', ")));
        });
        assertThat(printed).noneMatch(each -> each.contains("\\"));
    }
}
