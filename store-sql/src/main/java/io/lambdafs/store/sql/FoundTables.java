package io.lambdafs.store.sql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The schema's tables as listed in the database's catalogue, because {@code information_schema} hides the tables that
 * the user has no rights to. Immutable.
 */
record FoundTables(Map<String, Found> tables, boolean mayUseSchema) {
    private static final String OF_SCHEMA = " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = '"
            + SqlTable.SCHEMA + "' AND c.relkind IN ('r', 'p')";
    private static final String RIGHT = "CASE WHEN NOT has_table_privilege(c.oid, '%1$s') THEN '%1$s' END";
    private static final String TABLES = "SELECT c.relname, c.relpersistence = 'u', row_security_active(c.oid),"
            + " concat_ws(', ', " + right("SELECT") + ", " + right("INSERT") + ", " + right("UPDATE") + ", "
            + right("DELETE") + "),"
            + " (SELECT string_agg('\"' || a.attname || '\"', ', ' ORDER BY k.place) FROM pg_index i"
            + " CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k(number, place)"
            + " JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number"
            + " WHERE i.indrelid = c.oid AND i.indisprimary AND i.indisvalid),"
            + " has_schema_privilege(n.oid, 'USAGE')"
            + " FROM pg_class c" + OF_SCHEMA;
    private static final String COLUMNS = "SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod)"
            + " || coalesce((SELECT ' COLLATE ' || quote_ident(o.collname) FROM pg_collation o"
            + " WHERE o.oid = a.attcollation), '') || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END"
            + " FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid" + OF_SCHEMA
            + " AND a.attnum > 0 AND NOT a.attisdropped";

    /**
     * A table.
     *
     * @param isUnlogged a crash empties it
     * @param hidesRows row security applies to the user
     * @param lacks the rights that the user lacks, separated by commas
     * @param key the columns of its primary key, separated by commas; null without a primary key
     * @param columns the type of each column, with collation and {@code NOT NULL}
     */
    record Found(
            boolean isUnlogged,
            boolean hidesRows,
            String lacks,
            @Nullable String key,
            Map<String, String> columns) {}

    private static String right(String name) {
        return RIGHT.replace("%1$s", name);
    }

    static FoundTables in(Connection connection) throws SQLException {
        Map<String, Found> found = new TreeMap<>();
        boolean mayUse = true;
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(TABLES)) {
            while (row.next()) {
                found.put(
                        row.getString(1),
                        new Found(
                                row.getBoolean(2),
                                row.getBoolean(3),
                                row.getString(4),
                                row.getString(5),
                                new TreeMap<>()));
                mayUse &= row.getBoolean(6);
            }
        }
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(COLUMNS)) {
            while (row.next()) {
                Found table = found.get(row.getString(1));
                if (table != null) {
                    table.columns().put(row.getString(2), row.getString(3));
                }
            }
        }
        return new FoundTables(found, mayUse);
    }

    boolean has(String table) {
        return tables.containsKey(table);
    }

    /** Returns whether the user may read and write all of them. */
    boolean mayUseAll() {
        return mayUseSchema
                && tables.values().stream().allMatch(each -> each.lacks().isEmpty());
    }

    /** Returns the columns of all tables, as {@code table.column}. */
    Set<String> columns() {
        Set<String> all = new TreeSet<>();
        tables.forEach((table, found) -> found.columns().keySet().forEach(each -> all.add(table + '.' + each)));
        return all;
    }
}
