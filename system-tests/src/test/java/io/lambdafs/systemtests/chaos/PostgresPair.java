package io.lambdafs.systemtests.chaos;

import io.lambdafs.store.sql.server.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** A PostgreSQL of the installed programs, and a standby that each of its commits waits for. Confined to one thread. */
final class PostgresPair implements AutoCloseable {
    private static final String NAME = "standby";

    private final PostgresServer primary;
    private final PostgresServer standby;
    private boolean whole = true;

    private PostgresPair(PostgresServer primary, PostgresServer standby) {
        this.primary = primary;
        this.standby = standby;
    }

    /** Makes both in a folder; returns when the standby follows. */
    static PostgresPair start(Path folder) throws Exception {
        PostgresServer primary =
                new PostgresServer(folder.resolve("primary"), 0, null, ProcessBuilder.Redirect.DISCARD);
        primary.start();
        PostgresServer standby = new PostgresServer(folder.resolve(NAME), 0, null, ProcessBuilder.Redirect.DISCARD);
        PostgresPair pair = new PostgresPair(primary, standby);
        try {
            standby.follow(primary.port(), NAME);
            standby.start();
            ask(primary, "ALTER SYSTEM SET synchronous_standby_names = '" + NAME + "'");
            ask(primary, "SELECT pg_reload_conf()");
            Awaitility.await("the standby follows")
                    .atMost(1, TimeUnit.MINUTES)
                    .until(() ->
                            ask(primary, "SELECT count(*) = 1 FROM pg_stat_replication WHERE sync_state = 'sync'"));
            return pair;
        } catch (Exception e) {
            pair.close();
            throw e;
        }
    }

    private static boolean ask(PostgresServer server, String sql) throws SQLException {
        try (Connection connection =
                        DriverManager.getConnection(PostgresServer.url(server.port()), PostgresServer.ACCOUNT, "");
                Statement statement = connection.createStatement()) {
            if (!statement.execute(sql)) {
                return false;
            }
            try (ResultSet row = statement.getResultSet()) {
                return row.next() && row.getBoolean(1);
            }
        }
    }

    /** Whichever of the two is the primary. */
    String url() {
        return "jdbc:postgresql://127.0.0.1:" + primary.port() + ",127.0.0.1:" + standby.port()
                + "/postgres?targetServerType=primary";
    }

    /** Returns whether there is a standby still. */
    boolean isWhole() {
        return whole;
    }

    void killPrimary() {
        whole = false;
        primary.kill();
    }

    void promote() throws SQLException {
        ask(standby, "SELECT pg_promote()");
    }

    @Override
    public void close() {
        standby.kill();
        primary.kill();
    }
}
