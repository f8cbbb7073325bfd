package io.lambdafs.store.sql;

import io.lambdafs.model.FsException;
import io.lambdafs.store.database.Database;
import io.lambdafs.store.database.DatabaseCommits;
import io.lambdafs.store.database.DatabaseGoneError;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one connection that changes the database, and the right to do so. A process takes the database by a session lock,
 * which a live holder denies to others, and by a new incarnation in the single row of {@code holder}. Every group of
 * commits begins by writing its number there, under the incarnation of its process: a late group, from a process or a
 * connection that was given up, finds another incarnation and fails. Taking the row waits for any write still under
 * way, so that afterwards its number says how the last group ended. The right is also a lease: a process that has
 * written nothing for {@link Database#LEASE} answers no reads, and a process that takes the database from one that did
 * not leave cleanly waits for that time first. Confined to one thread. PROTOCOL: D1, D2, D4, D5, D6, D7.
 */
final class DatabaseLease implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DatabaseLease.class);
    /** The same in every database that λFS uses; locks are local to a database. */
    private static final long LOCK = 0x6c616d62646166L;

    private static final String HOLDER = SqlSchema.HOLDER;

    /** The maximum step from one incarnation to the next: two processes do not draw the same one by chance. */
    private static final long STEP = 1L << 40;

    /** The SQLSTATE of a transaction whose end is not known. */
    private static final String UNKNOWN = "08007";

    private static final int FIRST_WITH_IDLE_LIMIT = 14;
    private static final long FROZEN_MILLIS = Database.LEASE_OVER.toMillis() + 4_000;
    /** Longer than the session of a dead process survives. */
    private static final long PATIENCE_MILLIS = 20_000;

    private final SqlSettings settings;
    private final SqlSchema schema;
    private @Nullable Connection connection;
    private long incarnation;
    /**
     * The incarnation that the last attempt to take the row wrote; the outcome may be unknown. No other process writes
     * it.
     */
    private long attempted;

    private long lastGroup;
    private boolean held;

    DatabaseLease(SqlSettings settings, SqlTables tables) {
        this.settings = settings;
        this.schema = new SqlSchema(tables);
    }

    /** Returns a source of connections whose sessions end by themselves when the process or the network is gone. */
    static PGSimpleDataSource source(SqlSettings settings, String options) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setURL(settings.url());
        source.setUser(settings.user());
        source.setPassword(settings.password());
        source.setApplicationName("lambdafs-store");
        source.setTcpKeepAlive(true);
        source.setConnectTimeout(5);
        source.setSocketTimeout(60);
        source.setOptions("-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3"
                + " -c idle_in_transaction_session_timeout=10000 -c client_min_messages=warning"
                + " -c standard_conforming_strings=on " + options);
        return source;
    }

    /**
     * Connects, creates the missing tables, and takes the database.
     *
     * @throws FsException {@code UNAVAILABLE}: another process has it, it cannot be used, or is damaged;
     *     {@code INVALID_ARGUMENT}: it is another cluster's, or of another format
     */
    void take() throws SQLException {
        close();
        String options = "-c synchronous_commit=on -c lock_timeout=20000";
        // A serving process has no time to ask each host for the reason.
        Connection fresh = held ? source(settings, options).getConnection() : SqlHosts.connect(settings, options);
        connection = fresh;
        try {
            endWhereFrozen(fresh);
            schema.demandSound(fresh, settings);
            lock(fresh);
            schema.ensure(fresh, settings.cluster());
            awaitLease(fresh);
            boolean older = takeRow(fresh);
            LOG.info("The database {} is taken, incarnation {}", settings.url(), incarnation);
            if (older) {
                Database.awaitLeases();
            }
        } catch (SQLException | RuntimeException | DatabaseGoneError e) {
            close();
            throw e;
        }
    }

    /**
     * Refuses a database that must not be served, without taking it; accepts an unreachable one, which may come back.
     *
     * @throws FsException as {@link #take}
     */
    static void demandSound(SqlSettings settings) {
        try (Connection fresh = source(settings, "").getConnection()) {
            new SqlSchema(new SqlTables()).demandSound(fresh, settings);
        } catch (SQLException e) {
            LOG.info("The database {} cannot be looked at yet: {}", settings.url(), e.getMessage());
        }
    }

    /** Takes the row that names the holder, in a transaction; returns whether the database may have come back older. */
    private boolean takeRow(Connection fresh) throws SQLException {
        DatabaseLife life = DatabaseLife.of(fresh, HOLDER);
        fresh.setAutoCommit(false);
        boolean older = false;
        try (Statement statement = fresh.createStatement();
                ResultSet row =
                        statement.executeQuery("SELECT incarnation, last_group, life FROM " + HOLDER + " FOR UPDATE")) {
            row.next();
            demandNotBehind(row.getLong(2));
            // A process that held the database all along knows by its last group's number that nothing is lost.
            older = !held && life.isAnother(row.getString(3));
            attempted = row.getLong(1) + 1 + ThreadLocalRandom.current().nextLong(STEP);
            lastGroup = row.getLong(2);
        }
        if (older) {
            LOG.info(
                    "The database {} was promoted or restored, and may be older: every epoch before is dead",
                    settings.url());
            DatabaseLife.endAll(fresh);
        }
        try (PreparedStatement taken =
                fresh.prepareStatement("UPDATE " + HOLDER + " SET incarnation = ?, held = true, life = ?")) {
            taken.setLong(1, attempted);
            taken.setString(2, life.name());
            taken.executeUpdate();
        }
        commit(fresh);
        incarnation = attempted;
        held = true;
        return older;
    }

    private void demandNotBehind(long group) {
        if (group < lastGroup) {
            throw new DatabaseGoneError("the database " + settings.url()
                    + " has lost commits that it had acknowledged: its last group is " + group + ", it was "
                    + lastGroup
                    + "; a standby that was not synchronous must not be promoted, and a store that was being"
                    + " loaded when its database crashed is to be loaded again");
        }
    }

    /**
     * Limits how long a frozen server keeps its session lock; a live one writes every second. From PostgreSQL 14 on.
     */
    private static void endWhereFrozen(Connection fresh) throws SQLException {
        if (fresh.getMetaData().getDatabaseMajorVersion() >= FIRST_WITH_IDLE_LIMIT) {
            try (Statement limit = fresh.createStatement()) {
                limit.execute("SET idle_session_timeout = " + FROZEN_MILLIS);
            }
        }
    }

    private void lock(Connection fresh) throws SQLException {
        long began = System.nanoTime();
        while (true) {
            try (Statement lock = fresh.createStatement();
                    ResultSet got = lock.executeQuery("SELECT pg_try_advisory_lock(" + LOCK + ")")) {
                got.next();
                if (got.getBoolean(1)) {
                    return;
                }
            }
            if (System.nanoTime() - began > PATIENCE_MILLIS * 1_000_000) {
                if (held) {
                    throw DatabaseGoneError.superseded();
                }
                throw FsException.unavailable("another process serves the store in " + settings.url()
                        + ": stop it, or name another database");
            }
            DatabaseCommits.pause();
        }
    }

    /** Waits until no other process answers reads as the holder of the database. */
    private void awaitLease(Connection fresh) throws SQLException {
        SqlSchema.demandOurs(fresh, settings);
        try (Statement statement = fresh.createStatement();
                ResultSet row = statement.executeQuery("SELECT incarnation, held FROM " + HOLDER + " FOR UPDATE")) {
            row.next();
            boolean another = row.getLong(1) != incarnation && row.getLong(1) != attempted;
            if (held && another) {
                throw DatabaseGoneError.superseded();
            }
            if (another && row.getBoolean(2)) {
                LOG.info("The database {} was not left in order: its lease runs out first", settings.url());
                Database.awaitLeases();
            }
        }
    }

    /** Returns the number of the last committed group; known after {@link #take}. */
    long lastGroup() {
        return lastGroup;
    }

    /** Returns the connection, in no transaction yet; the database must be taken. */
    Connection connection() {
        if (connection == null) {
            throw new IllegalStateException("the database is not taken");
        }
        return connection;
    }

    boolean isTaken() {
        return connection != null;
    }

    /** Begins a group; returns whether this process still holds the database. */
    boolean begin(long group) throws SQLException {
        try (PreparedStatement mark =
                connection().prepareStatement("UPDATE " + HOLDER + " SET last_group = ? WHERE incarnation = ?")) {
            mark.setLong(1, group);
            mark.setLong(2, incarnation);
            return mark.executeUpdate() == 1;
        }
    }

    /**
     * Lets the current group be answered before it is on disk; the next group that waits for the disk flushes it too.
     */
    void commitBeforeItLasts() throws SQLException {
        try (Statement lazily = connection().createStatement()) {
            lazily.execute("SET LOCAL synchronous_commit = off");
        }
    }

    /** Commits the current group. */
    void commit(long group) throws SQLException {
        commit(connection());
        lastGroup = group;
    }

    /**
     * Fails like a lost connection if the wait for a synchronous standby was cancelled: the commit is then on this
     * server alone, and a promotion would lose it. Taking the row anew waits until the standby has that commit, too.
     */
    private static void commit(Connection writes) throws SQLException {
        writes.clearWarnings();
        writes.commit();
        SQLWarning warning = writes.getWarnings();
        if (warning != null) {
            throw new SQLException("the commit may not be where it has to be: " + warning.getMessage(), UNKNOWN);
        }
    }

    /** Abandons the connection and any statement in progress on it. */
    void lose() {
        Connection lost = connection;
        connection = null;
        if (lost != null) {
            try {
                lost.abort(Runnable::run);
            } catch (SQLException e) {
                LOG.debug("A connection that was lost could not be closed", e);
            }
        }
    }

    /** Gives the database back cleanly: the next holder need not wait. */
    void leave() {
        if (isTaken()) {
            try (PreparedStatement left =
                    connection().prepareStatement("UPDATE " + HOLDER + " SET held = false WHERE incarnation = ?")) {
                left.setLong(1, incarnation);
                left.executeUpdate();
                connection().commit();
            } catch (SQLException e) {
                LOG.info("The database could not be given back in order: {}", e.getMessage());
            }
        }
        close();
    }

    @Override
    public void close() {
        Connection open = connection;
        connection = null;
        if (open != null) {
            try {
                open.close();
            } catch (SQLException e) {
                LOG.debug("A connection could not be closed", e);
            }
        }
    }
}
