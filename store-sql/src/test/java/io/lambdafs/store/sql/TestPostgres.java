package io.lambdafs.store.sql;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lambdafs.store.sql.server.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A PostgreSQL server of the installed programs, in a temporary directory. Skips the test where there are none. */
public final class TestPostgres implements AutoCloseable {
    private static final String STANDBY = "standby";

    private static @Nullable TestPostgres shared;

    private final Path folder;
    private final PostgresServer server;

    private TestPostgres(Path folder, PostgresServer server) {
        this.folder = folder;
        this.server = server;
    }

    /** The one that tests share which neither stop it nor fill it; it ends with the process, and so need not wait for its disk. */
    static synchronized TestPostgres shared() throws Exception {
        TestPostgres postgres = shared;
        if (postgres == null) {
            postgres = start();
            postgres.execute("ALTER SYSTEM SET fsync = off");
            postgres.execute("SELECT pg_reload_conf()");
            shared = postgres;
            TestPostgres started = postgres;
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                try {
                    started.close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }));
        }
        return postgres;
    }

    /** Returns the shared one, without the tables and the role that tests make. */
    static TestPostgres emptied() throws Exception {
        TestPostgres postgres = shared();
        postgres.empty();
        return postgres;
    }

    void empty() throws SQLException {
        execute("DROP SCHEMA IF EXISTS lambdafs CASCADE");
        execute("DROP ROLE IF EXISTS restricted");
    }

    /** Makes a server, and starts it. */
    public static TestPostgres start() throws Exception {
        assumeTrue(PostgresServer.programs().isPresent(), "PostgreSQL is not installed: there is no initdb");
        Path folder = Files.createTempDirectory("lambdafs-postgres-");
        PostgresServer server = new PostgresServer(
                folder.resolve("data"),
                0,
                null,
                ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()));
        server.start();
        return new TestPostgres(folder, server);
    }

    /** Makes a standby of it in its folder, which each of its commits waits for from now on; returns when it follows. */
    public TestPostgres standby() throws Exception {
        PostgresServer follower = new PostgresServer(
                folder.resolve(STANDBY),
                0,
                null,
                ProcessBuilder.Redirect.appendTo(folder.resolve("log-standby").toFile()));
        follower.follow(server.port(), STANDBY);
        follower.start();
        execute("ALTER SYSTEM SET synchronous_standby_names = '" + STANDBY + "'");
        execute("SELECT pg_reload_conf()");
        await("SELECT count(*) = 1 FROM pg_stat_replication WHERE sync_state = 'sync'");
        return new TestPostgres(folder, follower);
    }

    /** Waits until a query answers true; a minute at most. */
    public void await(String query) throws Exception {
        try (Connection connection = connect();
                PreparedStatement statement = connection.prepareStatement(query)) {
            while (true) {
                try (ResultSet row = statement.executeQuery()) {
                    if (row.next() && row.getBoolean(1)) {
                        return;
                    }
                }
                Thread.sleep(20);
            }
        }
    }

    /** Starts the server again. */
    public void resume() throws Exception {
        server.start();
    }

    /** Kills the server and its sessions, as a crash does. */
    public void kill() {
        server.kill();
    }

    public Connection connect() throws SQLException {
        return DriverManager.getConnection(url(), PostgresServer.ACCOUNT, "");
    }

    /** Runs a statement. */
    public void execute(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    public String url() {
        return PostgresServer.url(server.port());
    }

    /** Returns the settings of a cluster without a password. */
    public SqlSettings settings() {
        return new SqlSettings(url(), PostgresServer.ACCOUNT, Optional.empty(), "a-cluster", 4);
    }

    @Override
    public void close() throws IOException {
        kill();
        if (!Files.exists(folder)) {
            // A standby's server was in it.
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
            for (Path each : deepestFirst) {
                Files.delete(each);
            }
        }
    }
}
