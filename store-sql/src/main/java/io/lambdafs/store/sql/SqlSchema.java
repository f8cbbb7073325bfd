package io.lambdafs.store.sql;

import io.lambdafs.model.FsException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The tables in a database, and the row that names their cluster and records the tables created: one that was created
 * and is missing has lost its rows, and is not created again. Immutable.
 */
final class SqlSchema {
    /** The table that names the database's holder. */
    static final String HOLDER = SqlTable.SCHEMA + ".holder";
    /** The format of the tables; raised if a change needs more than new columns. */
    static final int FORMAT = 1;

    private static final Set<String> FIRST_OF_HOLDER = Set.of(
            "holder.one", "holder.cluster", "holder.format", "holder.incarnation", "holder.last_group", "holder.held");
    private static final List<String> ADDED_TO_HOLDER = List.of("life", "tables", "columns");

    private final SqlTables tables;
    private final SqlComments comments;

    SqlSchema(SqlTables tables) {
        this.tables = tables;
        this.comments = new SqlComments(tables);
    }

    /** Returns the statements that create all missing tables and columns, in order. Idempotent. */
    static List<String> statements(SqlTables tables) {
        List<String> all = new ArrayList<>();
        all.add("CREATE SCHEMA IF NOT EXISTS " + SqlTable.SCHEMA);
        all.add("CREATE TABLE IF NOT EXISTS " + HOLDER
                + " (one integer PRIMARY KEY CHECK (one = 1), cluster text NOT NULL, format integer NOT NULL,"
                + " incarnation bigint NOT NULL, last_group bigint NOT NULL, held boolean NOT NULL)");
        for (String each : ADDED_TO_HOLDER) {
            all.add("ALTER TABLE " + HOLDER + " ADD COLUMN IF NOT EXISTS " + each + " text NOT NULL DEFAULT ''");
        }
        tables.all().forEach(table -> all.addAll(table.create()));
        return all;
    }

    /**
     * Refuses a database that is another cluster's, or damaged; changes nothing, and waits for no process.
     *
     * @throws FsException {@code UNAVAILABLE}: see {@link #faults}; {@code INVALID_ARGUMENT}: see {@link #demandOurs}
     */
    void demandSound(Connection connection, SqlSettings settings) throws SQLException {
        FoundTables found = FoundTables.in(connection);
        List<DatabaseExam.Fault> faults = faults(connection, found, settings);
        if (!faults.isEmpty()) {
            throw FsException.unavailable("the store does not serve the database " + settings.url() + ": "
                    + faults.stream()
                            .map(each -> each.what() + ": " + each.change())
                            .collect(Collectors.joining("; ")));
        }
        if (found.has("holder")) {
            demandOurs(connection, settings);
        }
    }

    /**
     * Refuses a database that is another cluster's, or of another format.
     *
     * @throws FsException {@code INVALID_ARGUMENT}
     */
    static void demandOurs(Connection connection, SqlSettings settings) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT cluster, format FROM " + HOLDER)) {
            if (!row.next()) {
                return;
            }
            if (!row.getString(1).equals(settings.cluster())) {
                throw FsException.invalidArgument("the tables in " + settings.url() + " belong to the cluster "
                        + row.getString(1) + ", this one is " + settings.cluster() + ": name another database");
            }
            if (row.getInt(2) != FORMAT) {
                throw FsException.invalidArgument("the tables in " + settings.url() + " have format " + row.getInt(2)
                        + ", this build reads " + FORMAT + "; use the build that wrote them");
            }
        }
    }

    /** Returns the faults that keep the store from serving the database: lost or damaged tables, and missing rights. */
    List<DatabaseExam.Fault> faults(Connection connection, SqlSettings settings) throws SQLException {
        return faults(connection, FoundTables.in(connection), settings);
    }

    private List<DatabaseExam.Fault> faults(Connection connection, FoundTables found, SqlSettings settings)
            throws SQLException {
        SchemaFaults faults = new SchemaFaults(found, settings.user());
        faults.readOnly(connection);
        faults.rights();
        if (found.mayUseAll()) {
            MadeTables made = MadeTables.noted(connection, found);
            Set<String> required = new HashSet<>(FIRST_OF_HOLDER);
            tables.all().forEach(table -> required.addAll(table.requiredNames()));
            faults.lost(made.lostTables(connection, found), made.lostColumns(found, required));
        }
        faults.key("holder", "\"one\"");
        tables.all().forEach(faults::table);
        return faults.all();
    }

    /** Creates and records the missing tables and columns, and sets the comments. The database must be sound. */
    void ensure(Connection connection, String cluster) throws SQLException {
        FoundTables found = FoundTables.in(connection);
        MadeTables noted = MadeTables.noted(connection, found);
        MadeTables all = noted.with(names(), optional());
        boolean whole = found.columns().containsAll(wanted());
        if (!whole || !all.equals(noted)) {
            connection.setAutoCommit(false);
            if (!whole) {
                // With nothing missing, it would wait for readers, and demand rights that the user need not have.
                create(connection);
            }
            first(connection, cluster);
            all.note(connection);
            connection.commit();
            connection.setAutoCommit(true);
        }
        comments.ensure(connection);
    }

    private Set<String> wanted() {
        Set<String> wanted = new HashSet<>(FIRST_OF_HOLDER);
        wanted.addAll(optional());
        tables.all().forEach(table -> wanted.addAll(table.requiredNames()));
        return wanted;
    }

    private Set<String> optional() {
        Set<String> optional =
                ADDED_TO_HOLDER.stream().map(each -> "holder." + each).collect(Collectors.toSet());
        tables.all().forEach(table -> optional.addAll(table.optionalNames()));
        return optional;
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

    private static void first(Connection connection, String cluster) throws SQLException {
        try (PreparedStatement first = connection.prepareStatement("INSERT INTO " + HOLDER
                + " (one, cluster, format, incarnation, last_group, held) VALUES (1, ?, " + FORMAT
                + ", 0, 0, false) ON CONFLICT DO NOTHING")) {
            first.setString(1, cluster);
            first.executeUpdate();
        }
    }
}
