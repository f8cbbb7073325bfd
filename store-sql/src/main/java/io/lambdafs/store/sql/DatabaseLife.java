package io.lambdafs.store.sql;

import io.lambdafs.store.ChangeLog;
import io.lambdafs.store.Schema;
import io.lambdafs.store.database.Database;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The identity that distinguishes a database from a promoted or restored one, which may be older than the acknowledged
 * commits: its timeline, which each promotion and each point-in-time recovery raises, and its table's OID, which each
 * load of a dump changes. Immutable. PROTOCOL: D6.
 *
 * @param name empty if the database does not reveal it
 */
record DatabaseLife(String name) {
    private static final Logger LOG = LoggerFactory.getLogger(DatabaseLife.class);

    /** Reads the identity through a connection that is in no transaction. */
    static DatabaseLife of(Connection connection, String table) {
        try (Statement statement = connection.createStatement();
                ResultSet life =
                        statement.executeQuery("SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8) || '/' || '"
                                + table + "'::regclass::oid")) {
            life.next();
            return new DatabaseLife(life.getString(1));
        } catch (SQLException e) {
            LOG.warn("The database does not tell whether it was promoted or restored: {}", e.getMessage());
            return new DatabaseLife("");
        }
    }

    /** Returns whether the database is known to have had another life. */
    boolean isAnother(String before) {
        return !name.isEmpty() && !before.isEmpty() && !name.equals(before);
    }

    /**
     * Ends all that began before, in the transaction that takes the database: no epoch survives, issued numbers are not
     * issued again, and readers of the change log learn that they must start over.
     */
    static void endAll(Connection connection) throws SQLException {
        String sequences = SqlTable.SCHEMA + "." + Schema.SEQUENCES.name();
        String next = ChangeLog.NEXT.string(0);
        String trimmed = ChangeLog.TRIMMED.string(0);
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("DELETE FROM " + SqlTable.SCHEMA + "." + Schema.INSTANCES.name());
            statement.executeUpdate("DELETE FROM " + SqlTable.SCHEMA + "." + Schema.EPOCHS.name());
            statement.executeUpdate("UPDATE " + sequences + " SET next = next + " + Database.SKIPPED
                    + " WHERE name <> '" + trimmed + "'");
            statement.executeUpdate("INSERT INTO " + sequences + " (name, next) SELECT '" + trimmed
                    + "', next - 1 FROM " + sequences + " WHERE name = '" + next
                    + "' ON CONFLICT (name) DO UPDATE SET next = EXCLUDED.next");
        }
    }
}
