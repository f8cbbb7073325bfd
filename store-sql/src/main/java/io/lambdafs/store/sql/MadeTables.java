package io.lambdafs.store.sql;

import io.lambdafs.store.Schema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.TreeSet;

/**
 * The tables, and the added columns with defaults, that the row {@code holder} records as created. A recorded one that
 * is missing is lost, and would come back empty. Immutable.
 *
 * @param tables empty if the schema is new, or older than this record
 * @param columns those with defaults, as {@code table.column}
 */
record MadeTables(Set<String> tables, Set<String> columns) {
    static MadeTables noted(Connection connection, FoundTables found) throws SQLException {
        return new MadeTables(names(connection, found, "tables"), names(connection, found, "columns"));
    }

    private static Set<String> names(Connection connection, FoundTables found, String column) throws SQLException {
        if (!found.columns().contains("holder." + column)) {
            return Set.of();
        }
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT " + column + " FROM " + SqlSchema.HOLDER)) {
            String names = row.next() ? row.getString(1) : "";
            return names.isEmpty() ? Set.of() : Set.of(names.split(","));
        }
    }

    MadeTables with(Set<String> moreTables, Set<String> moreColumns) {
        Set<String> allTables = new TreeSet<>(tables);
        allTables.addAll(moreTables);
        Set<String> allColumns = new TreeSet<>(columns);
        allColumns.addAll(moreColumns);
        return new MadeTables(allTables, allColumns);
    }

    void note(Connection connection) throws SQLException {
        try (PreparedStatement noted =
                connection.prepareStatement("UPDATE " + SqlSchema.HOLDER + " SET tables = ?, columns = ?")) {
            noted.setString(1, String.join(",", tables));
            noted.setString(2, String.join(",", columns));
            noted.executeUpdate();
        }
    }

    /** Returns the tables that were created and are missing. */
    Set<String> lostTables(Connection connection, FoundTables found) throws SQLException {
        Set<String> lost = new TreeSet<>(tables);
        lost.removeAll(found.tables().keySet());
        if (tables.isEmpty() && !found.has("holder") && hasRows(connection, found)) {
            lost.add("holder");
        }
        return lost;
    }

    private static boolean hasRows(Connection connection, FoundTables found) throws SQLException {
        String inodes = Schema.INODES.name();
        if (!found.has(inodes)) {
            return false;
        }
        try (Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("SELECT 1 FROM " + SqlTable.SCHEMA + "." + inodes + " LIMIT 1")) {
            return row.next();
        }
    }

    /**
     * Returns the columns that were created and are missing from their tables.
     *
     * @param required the columns that a table is created with
     */
    Set<String> lostColumns(FoundTables found, Set<String> required) {
        Set<String> lost = new TreeSet<>(columns);
        required.stream()
                .filter(each -> found.has(each.substring(0, each.indexOf('.'))))
                .forEach(lost::add);
        lost.removeIf(each -> !found.has(each.substring(0, each.indexOf('.'))));
        lost.removeAll(found.columns());
        return lost;
    }
}
