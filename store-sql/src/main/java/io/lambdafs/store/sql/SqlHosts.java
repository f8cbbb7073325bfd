package io.lambdafs.store.sql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Connects; if a URL names several hosts, reports for each why it does not serve, since the driver reports only the
 * last. Stateless.
 */
final class SqlHosts {
    private SqlHosts() {}

    /**
     * Connects.
     *
     * @throws SQLException the driver's for a single host; for several, the answer of each, and the state of the first
     *     one that answered
     */
    static Connection connect(SqlSettings settings, String options) throws SQLException {
        PGSimpleDataSource source = DatabaseLease.source(settings, options);
        try {
            return source.getConnection();
        } catch (SQLException e) {
            String[] hosts = source.getServerNames();
            if (hosts.length < 2) {
                throw e;
            }
            List<String> said = new ArrayList<>();
            SQLException telling = e;
            for (int i = 0; i < hosts.length; i++) {
                int port = source.getPortNumbers()[i];
                SQLException why = ask(DatabaseLease.source(settings, options), hosts[i], port);
                said.add(hosts[i] + (port == 0 ? "" : ":" + port) + ": " + why.getMessage());
                if (isUnreached(telling) && !isUnreached(why)) {
                    telling = why;
                }
            }
            throw new SQLException(String.join("; ", said), telling.getSQLState(), telling);
        }
    }

    private static boolean isUnreached(SQLException e) {
        return e.getSQLState() == null || e.getSQLState().startsWith("08");
    }

    private static SQLException ask(PGSimpleDataSource source, String host, int port) {
        source.setServerNames(new String[] {host});
        source.setPortNumbers(new int[] {port});
        source.setTargetServerType("any");
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT pg_is_in_recovery(), current_setting('transaction_read_only')")) {
            row.next();
            return new SQLException(
                    row.getBoolean(1)
                            ? "a standby"
                            : "it takes connections" + (row.getString(2).equals("on") ? ", and is read-only" : ""),
                    "25006");
        } catch (SQLException e) {
            return e;
        }
    }
}
