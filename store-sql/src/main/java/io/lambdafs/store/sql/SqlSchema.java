package io.lambdafs.store.sql;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.store.Schema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The tables in a database, and the row that says whose they are and which of them were made: one that was made and is not there any more
 * has lost its rows, and is not made again. Immutable.
 */
final class SqlSchema {
    /** Says who holds the database. */
    static final String HOLDER = SqlTable.SCHEMA + ".holder";
    /** Of the tables; raised where a change needs more than new columns. */
    static final int FORMAT = 1;

    private static final Set<String> HOLDER_COLUMNS =
            Set.of("one", "cluster", "format", "incarnation", "last_group", "held", "life", "tables");

    private final SqlTables tables;

    SqlSchema(SqlTables tables) {
        this.tables = tables;
    }

    /** What makes all that is not there, in order. Idempotent. */
    static List<String> statements(SqlTables tables) {
        List<String> all = new ArrayList<>();
        all.add("CREATE SCHEMA IF NOT EXISTS " + SqlTable.SCHEMA);
        all.add("CREATE TABLE IF NOT EXISTS " + HOLDER
                + " (one integer PRIMARY KEY CHECK (one = 1), cluster text NOT NULL, format integer NOT NULL,"
                + " incarnation bigint NOT NULL, last_group bigint NOT NULL, held boolean NOT NULL)");
        all.add("ALTER TABLE " + HOLDER + " ADD COLUMN IF NOT EXISTS life text NOT NULL DEFAULT ''");
        all.add("ALTER TABLE " + HOLDER + " ADD COLUMN IF NOT EXISTS tables text NOT NULL DEFAULT ''");
        tables.all().forEach(table -> all.addAll(table.create()));
        return all;
    }

    /**
     * Makes what is not there, unless it was there once.
     *
     * @param url in messages
     * @throws FsException {@code UNAVAILABLE}: a table that was made is not there
     */
    void ensure(Connection connection, String cluster, String url) throws SQLException {
        Set<String> columns = columns(connection);
        Set<String> made = made(connection, columns);
        Set<String> gone = lost(connection, columns, made);
        if (!gone.isEmpty()) {
            throw new FsException(
                    ErrorCode.UNAVAILABLE,
                    "the database " + url + " has lost the tables " + String.join(", ", gone) + " of the schema "
                            + SqlTable.SCHEMA + ", and what was in them: restore a backup; to begin anew and empty, "
                            + "drop the whole schema");
        }
        boolean whole = columns.containsAll(wanted());
        if (!whole || !made.containsAll(names())) {
            Set<String> all = new TreeSet<>(made);
            all.addAll(names());
            connection.setAutoCommit(false);
            if (!whole) {
                // Where nothing is missing, it would wait for readers, and demand rights that the user need not have.
                create(connection);
            }
            note(connection, cluster, String.join(",", all));
            connection.commit();
            connection.setAutoCommit(true);
        }
    }

    /** Returns the tables that were made, and are not there. */
    static Set<String> lost(Connection connection) throws SQLException {
        Set<String> columns = columns(connection);
        return lost(connection, columns, made(connection, columns));
    }

    private static Set<String> lost(Connection connection, Set<String> columns, Set<String> made) throws SQLException {
        Set<String> there = columns.stream()
                .map(each -> each.substring(0, each.indexOf('.')))
                .collect(Collectors.toSet());
        Set<String> lost = new TreeSet<>(made);
        lost.removeAll(there);
        if (made.isEmpty() && !there.contains("holder") && hasRows(connection, there)) {
            lost.add("holder");
        }
        return lost;
    }

    private static Set<String> columns(Connection connection) throws SQLException {
        Set<String> found = new HashSet<>();
        try (Statement statement = connection.createStatement();
                ResultSet each = statement.executeQuery(
                        "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = '"
                                + SqlTable.SCHEMA + "'")) {
            while (each.next()) {
                found.add(each.getString(1) + '.' + each.getString(2));
            }
        }
        return found;
    }

    /** None where the schema is new, or older than that they are noted. */
    private static Set<String> made(Connection connection, Set<String> columns) throws SQLException {
        if (!columns.contains("holder.tables")) {
            return Set.of();
        }
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT tables FROM " + HOLDER)) {
            String names = row.next() ? row.getString(1) : "";
            return names.isEmpty() ? Set.of() : Set.of(names.split(","));
        }
    }

    private static boolean hasRows(Connection connection, Set<String> there) throws SQLException {
        String inodes = Schema.INODES.name();
        if (!there.contains(inodes)) {
            return false;
        }
        try (Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("SELECT 1 FROM " + SqlTable.SCHEMA + "." + inodes + " LIMIT 1")) {
            return row.next();
        }
    }

    private Set<String> wanted() {
        Set<String> wanted =
                HOLDER_COLUMNS.stream().map(each -> "holder." + each).collect(Collectors.toSet());
        tables.all().forEach(table -> wanted.addAll(table.columnNames()));
        return wanted;
    }

    private Set<String> names() {
        return tables.all().stream().map(SqlTable::tableName).collect(Collectors.toSet());
    }

    private void create(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String each : statements(tables)) {
                statement.execute(each);
            }
        }
    }

    private static void note(Connection connection, String cluster, String made) throws SQLException {
        try (PreparedStatement first = connection.prepareStatement("INSERT INTO " + HOLDER
                        + " (one, cluster, format, incarnation, last_group, held) VALUES (1, ?, " + FORMAT
                        + ", 0, 0, false) ON CONFLICT DO NOTHING");
                PreparedStatement noted = connection.prepareStatement("UPDATE " + HOLDER + " SET tables = ?")) {
            first.setString(1, cluster);
            first.executeUpdate();
            noted.setString(1, made);
            noted.executeUpdate();
        }
    }
}
