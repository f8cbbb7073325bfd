package io.lambdafs.store.ndb;

import io.lambdafs.store.Column;
import io.lambdafs.store.Schema;
import io.lambdafs.store.Table;
import io.lambdafs.store.engine.SchemaComments;
import io.lambdafs.store.ndb.row.MostBytes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The tables as a MySQL server of the NDB Cluster would create them: the same that {@code RowTable} creates without
 * one. Uses no class of NDB's client, and is built without it. Stateless.
 */
public final class NdbSql implements Function<Boolean, List<String>> {
    private static final String DATABASE = "lambdafs";
    private static final String NUMBER = "bigint NOT NULL";
    /** To be enlarged by hand: the sizes are the smallest allowed. */
    private static final List<String> DISK_SPACE = List.of(
            "CREATE LOGFILE GROUP lambdafs_undo ADD UNDOFILE 'lambdafs_undo.log' INITIAL_SIZE 64M UNDO_BUFFER_SIZE 8M"
                    + " ENGINE NDBCLUSTER",
            "CREATE TABLESPACE lambdafs ADD DATAFILE 'lambdafs.dat' USE LOGFILE GROUP lambdafs_undo INITIAL_SIZE 256M"
                    + " EXTENT_SIZE 1M ENGINE NDBCLUSTER");

    private static final String PART = "int unsigned NOT NULL";

    /** @param onDisk whether to print the table of contents on disk, too, with its tablespace */
    @Override
    public List<String> apply(Boolean onDisk) {
        List<String> all = new ArrayList<>();
        all.add("CREATE DATABASE IF NOT EXISTS " + DATABASE);
        Schema.TABLES.stream().filter(Table::hasRows).map(NdbSql::rows).forEach(all::add);
        all.add(table("made", List.of("one"), List.of(column("one", PART), bytes("tables", MostBytes.MADE)), ""));
        all.add(table(
                "alive",
                List.of("one"),
                List.of(column("one", PART), column("incarnation", NUMBER)),
                " COMMENT='NDB_TABLE=NOLOGGING=1'"));
        all.add(table(
                "holder",
                List.of("one"),
                List.of(
                        column("one", PART),
                        bytes("cluster", MostBytes.CLUSTER),
                        column("format", NUMBER),
                        column("incarnation", NUMBER),
                        column("last_group", NUMBER),
                        column("process", NUMBER),
                        column("held", NUMBER)),
                ""));
        if (onDisk) {
            all.addAll(DISK_SPACE);
            all.add(disk(Schema.SMALL_FILES));
        }
        return all;
    }

    private static String rows(Table table) {
        return table(table.name(), keys(table), columns(table), comment(table));
    }

    private static String comment(Table table) {
        return " COMMENT=" + text(SchemaComments.of(table));
    }

    private static String text(String comment) {
        return "'" + comment.replace("'", "''") + "'";
    }

    /** Returns the table of all parts of rows except the first. */
    private static String disk(Table table) {
        List<String> columns = columns(table);
        int last = columns.size() - 1;
        columns.set(last, columns.get(last) + " STORAGE DISK");
        return table(table.name() + "_on_disk", keys(table), columns, " TABLESPACE=" + DATABASE + comment(table));
    }

    private static List<String> keys(Table table) {
        return Stream.concat(table.keyColumns().stream().map(Column::name), Stream.of("part"))
                .toList();
    }

    private static List<String> columns(Table table) {
        List<String> columns = new ArrayList<>();
        for (int i = 0; i < table.keySize(); i++) {
            Column key = table.keyColumns().get(i);
            boolean last = i + 1 == table.keySize();
            String definition = key.type() == Column.Type.INT64
                    ? column(key.name(), NUMBER)
                    : bytes(key.name(), last ? MostBytes.KEY : MostBytes.FIRST_KEY);
            columns.add(definition + comment(SchemaComments.of(table, key)));
        }
        columns.add(column("part", PART) + comment("Which part of the row this is, from 0"));
        columns.add(column("parts", PART) + comment("How many parts the row has"));
        columns.add(bytes("columns", MostBytes.PART) + comment("A piece of all other columns, in its own encoding"));
        return columns;
    }

    private static String comment(String ofColumn) {
        return " COMMENT " + text(ofColumn);
    }

    private static String bytes(String name, int most) {
        return column(name, "varbinary(" + most + ") NOT NULL");
    }

    private static String column(String name, String type) {
        return quoted(name) + " " + type;
    }

    private static String quoted(String name) {
        return "`" + name + "`";
    }

    private static String table(String name, List<String> keys, List<String> columns, String comment) {
        return "CREATE TABLE IF NOT EXISTS " + DATABASE + "." + quoted(name) + " (" + String.join(", ", columns)
                + ", PRIMARY KEY (" + keys.stream().map(NdbSql::quoted).collect(Collectors.joining(", ")) + "))"
                + " ENGINE=NDBCLUSTER" + comment + " PARTITION BY KEY (" + quoted(keys.get(0)) + ")";
    }
}
