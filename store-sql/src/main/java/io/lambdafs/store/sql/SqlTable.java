package io.lambdafs.store.sql;

import io.lambdafs.store.Column;
import io.lambdafs.store.Key;
import io.lambdafs.store.Row;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Table;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A table of λFS as an SQL table: the same columns under the same names, and one for columns that a later version added
 * ({@link Row#unknown}). Strings compare by their UTF-8 bytes. An SQL string holds no NUL: {@code \0} is stored as
 * {@code \1\1} and {@code \1} as {@code \1\2}, which keeps the order. Immutable.
 */
final class SqlTable {
    /** The schema of all tables. */
    static final String SCHEMA = "lambdafs";

    /** The column for columns that a later version added. */
    static final String UNKNOWN = "unknown_columns";

    private static final String COLLATION = " COLLATE \"C\"";

    private final Table table;
    private final List<Column> columns;
    private final String name;
    private final String keys;
    private final String all;

    SqlTable(Table table) {
        this.table = table;
        this.columns = Stream.concat(table.keyColumns().stream(), table.valueColumns().stream())
                .toList();
        this.name = SCHEMA + "." + table.name();
        this.keys = table.keyColumns().stream().map(SqlTable::quoted).collect(Collectors.joining(", "));
        this.all = columns.stream().map(SqlTable::quoted).collect(Collectors.joining(", ")) + ", " + UNKNOWN;
    }

    private static String quoted(Column column) {
        return '"' + column.name() + '"';
    }

    private static String type(Column column) {
        return switch (column.type()) {
            case INT64 -> "bigint";
            case STRING -> "text";
            case BYTES -> "bytea";
        };
    }

    Table table() {
        return table;
    }

    String tableName() {
        return table.name();
    }

    /** Returns the columns, those of the key first. */
    List<Column> columns() {
        return columns;
    }

    /** Returns the columns that the table is created with, as {@code table.column}. */
    List<String> requiredNames() {
        return Stream.concat(
                        columns.stream()
                                .filter(column -> column.fallback() == null)
                                .map(Column::name),
                        Stream.of(UNKNOWN))
                .map(column -> table.name() + '.' + column)
                .toList();
    }

    /** Returns the columns that a table of an earlier build lacks, as {@code table.column}. */
    List<String> optionalNames() {
        return columns.stream()
                .filter(column -> column.fallback() != null)
                .map(column -> table.name() + '.' + column.name())
                .toList();
    }

    /** Returns the key columns, quoted and separated by commas. */
    String keyNames() {
        return keys;
    }

    /** Returns the type of each column, with collation and {@code NOT NULL}. */
    Map<String, String> types() {
        Map<String, String> types = new LinkedHashMap<>();
        columns.forEach(column -> types.put(
                column.name(), type(column) + (column.type() == Column.Type.STRING ? COLLATION : "") + " NOT NULL"));
        types.put(UNKNOWN, "bytea NOT NULL");
        return types;
    }

    /** Creates the table, or its missing columns that have defaults. Idempotent. */
    List<String> create() {
        List<String> statements = new ArrayList<>();
        String definitions = columns.stream().map(SqlTable::definition).collect(Collectors.joining(", "));
        statements.add("CREATE TABLE IF NOT EXISTS " + name + " (" + definitions + ", " + UNKNOWN
                + " bytea NOT NULL DEFAULT '', PRIMARY KEY (" + keys + "))");
        for (Column column : table.valueColumns()) {
            if (column.fallback() != null) {
                statements.add("ALTER TABLE " + name + " ADD COLUMN IF NOT EXISTS " + definition(column));
            }
        }
        return statements;
    }

    private static String definition(Column column) {
        String text = quoted(column) + " " + type(column);
        if (column.type() == Column.Type.STRING) {
            text += COLLATION;
        }
        Object fallback = column.fallback();
        if (fallback instanceof Long number) {
            text += " DEFAULT " + number;
        } else if (fallback instanceof String string) {
            text += " DEFAULT '" + toSql(string).replace("'", "''") + "'";
        } else if (fallback != null) {
            text += " DEFAULT ''";
        }
        return text + " NOT NULL";
    }

    /** Reads the rows of one key, or of many, given as one array per key column. */
    String select(boolean one) {
        String where = one
                ? each(table.keyColumns(), column -> quoted(column) + " = ?", " AND ")
                : "(" + keys + ") IN (SELECT * FROM unnest(" + arrays(table.keyColumns()) + "))";
        return "SELECT " + all + " FROM " + name + " WHERE " + where;
    }

    /** Reads a page. */
    String scan(boolean first) {
        String partition = quoted(table.keyColumns().get(0));
        String second = quoted(table.keyColumns().get(1));
        return "SELECT " + all + " FROM " + name + " WHERE " + partition + " = ?"
                + (first ? "" : " AND " + second + " > ?") + " ORDER BY " + second + " LIMIT ?";
    }

    /** Reads the first rows, or the first ones after a key, in key order and in the format of {@link CopyBytes}. */
    String copyAfter(@Nullable Key after, int limit) {
        String where = after == null
                ? ""
                : " WHERE (" + keys + ") > ("
                        + after.parts().stream().map(SqlTable::literal).collect(Collectors.joining(", ")) + ")";
        return "COPY (SELECT " + all + " FROM " + name + where + " ORDER BY " + keys + " LIMIT " + limit
                + ") TO STDOUT (FORMAT binary)";
    }

    /** Returns a value as a literal, for a statement that takes no parameters. */
    private static String literal(Object value) {
        return value instanceof String string ? "'" + toSql(string).replace("'", "''") + "'" : value + "::bigint";
    }

    /** Writes rows, given as one array per column, whether they exist or not. */
    String put() {
        return "INSERT INTO " + name + " (" + all + ") SELECT * FROM unnest(" + arrays(columns) + ", ?::bytea[])"
                + " ON CONFLICT (" + keys + ") DO UPDATE SET "
                + each(table.valueColumns(), column -> quoted(column) + " = EXCLUDED." + quoted(column), ", ")
                + ", " + UNKNOWN + " = EXCLUDED." + UNKNOWN;
    }

    /** Writes rows that do not exist yet, given in the format of {@link CopyBytes}. */
    String copy() {
        return "COPY " + name + " (" + all + ") FROM STDIN (FORMAT binary)";
    }

    /** Deletes the rows of keys, given as one array per key column. */
    String delete() {
        return "DELETE FROM " + name + " WHERE (" + keys + ") IN (SELECT * FROM unnest(" + arrays(table.keyColumns())
                + "))";
    }

    private static String arrays(List<Column> columns) {
        return each(columns, column -> "?::" + type(column) + "[]", ", ");
    }

    private static String each(List<Column> columns, Function<Column, String> text, String between) {
        return columns.stream().map(text).collect(Collectors.joining(between));
    }

    /** Binds the keys of a {@link #select} or {@link #delete}; returns the next parameter's number. */
    int bindKeys(PreparedStatement statement, int parameter, List<Key> rows, boolean one) throws SQLException {
        int next = parameter;
        for (int part = 0; part < table.keySize(); part++) {
            int at = part;
            if (one) {
                statement.setObject(next++, value(rows.get(0).part(at)));
            } else {
                next = bindArray(
                        statement, next, table.keyType(at), rows.stream().map(key -> key.part(at)));
            }
        }
        return next;
    }

    /** Binds the rows of a {@link #put}; returns the next parameter's number. */
    int bindRows(PreparedStatement statement, int parameter, List<Row> rows) throws SQLException {
        int next = bindKeys(statement, parameter, rows.stream().map(Row::key).toList(), false);
        List<Object[]> values = rows.stream().map(Row::values).toList();
        for (int i = 0; i < table.valueSize(); i++) {
            int at = i;
            next = bindArray(
                    statement, next, table.valueType(at), values.stream().map(row -> row[at]));
        }
        return bindArray(statement, next, Column.Type.BYTES, rows.stream().map(Row::unknown));
    }

    private static int bindArray(PreparedStatement statement, int parameter, Column.Type type, Stream<?> values)
            throws SQLException {
        Connection connection = statement.getConnection();
        statement.setArray(
                parameter,
                switch (type) {
                    case INT64 -> connection.createArrayOf("bigint", values.toArray(Long[]::new));
                    case STRING ->
                        connection.createArrayOf(
                                "text", values.map(each -> toSql((String) each)).toArray(String[]::new));
                    case BYTES -> connection.createArrayOf("bytea", values.toArray(byte[][]::new));
                });
        return parameter + 1;
    }

    /** Binds the page of a {@link #scan}. */
    static void bindScan(PreparedStatement statement, Scan scan) throws SQLException {
        int next = 1;
        statement.setObject(next++, value(scan.partition()));
        if (scan.after() != null) {
            statement.setObject(next++, value(scan.after()));
        }
        statement.setInt(next, scan.limit());
    }

    private static Object value(Object value) {
        return value instanceof String string ? toSql(string) : value;
    }

    /** Returns the current row of a {@link #select} or {@link #scan} result. */
    Row row(ResultSet result) throws SQLException {
        Object[] parts = new Object[table.keySize()];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = value(result, i + 1, table.keyType(i));
        }
        Object[] values = new Object[table.valueSize()];
        for (int i = 0; i < values.length; i++) {
            values[i] = value(result, parts.length + i + 1, table.valueType(i));
        }
        return new Row(table.key(parts), values).withUnknown(result.getBytes(columns.size() + 1));
    }

    private static Object value(ResultSet result, int column, Column.Type type) throws SQLException {
        return switch (type) {
            case INT64 -> result.getLong(column);
            case STRING -> fromSql(result.getString(column));
            case BYTES -> result.getBytes(column);
        };
    }

    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) <= 1) {
                return false;
            }
        }
        return true;
    }

    static String toSql(String text) {
        return isPlain(text) ? text : text.replace("\1", "\1\2").replace("\0", "\1\1");
    }

    static String fromSql(String text) {
        return isPlain(text) ? text : text.replace("\1\1", "\0").replace("\1\2", "\1");
    }
}
