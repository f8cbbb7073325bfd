package io.lambdafs.store.sql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Scheduler;
import io.lambdafs.store.CommitObserver;
import io.lambdafs.store.GroupCommit;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.ReadPool;
import io.lambdafs.store.Row;
import io.lambdafs.store.RowEngine;
import io.lambdafs.store.RowSnapshot;
import io.lambdafs.store.Scan;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Rows in a database of SQL. Reads go to a pool of threads with a connection each, every read one message and one snapshot; commits to one
 * thread. Thread-safe.
 */
final class SqlRows implements RowEngine {
    private static final int ROW_OVERHEAD = 64;
    private static final long RENEWAL_NANOS = 1_000_000_000L;
    private static final Duration WRITE_PATIENCE = Duration.ofSeconds(20);
    private static final long READ_PATIENCE_MILLIS = 10_000;

    private final SqlTables tables = new SqlTables();
    private final SqlSettings settings;
    private final DatabaseLease lease;
    private final SqlCommits writer;
    private final GroupCommit<List<Mutation>> commits;
    private final HikariDataSource connections;
    private final ReadPool readers;
    private final Scheduler scheduler;
    private volatile boolean closed;

    /** Takes the database; blocks until it is there. */
    SqlRows(Scheduler scheduler, SqlSettings settings, CommitObserver observer) {
        this.scheduler = scheduler;
        this.settings = settings;
        lease = new DatabaseLease(settings, tables);
        try {
            lease.take();
        } catch (SQLException e) {
            throw SqlFailure.of("cannot use the database " + settings.url(), e);
        }
        connections = pool(settings);
        writer = new SqlCommits(scheduler, lease, tables, WRITE_PATIENCE);
        commits = new GroupCommit<>(scheduler, writer, observer);
        readers = new ReadPool(settings.readers(), "the database");
        scheduler.schedule(RENEWAL_NANOS, this::renew);
    }

    /** Of connections whose every message is one snapshot. */
    private static HikariDataSource pool(SqlSettings settings) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("store-read");
        config.setDataSource(DatabaseLease.source(settings, "-c default_transaction_read_only=on"));
        // Given here, for a pool asks its first connection for it otherwise, which may be lost meanwhile.
        config.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
        config.setMaximumPoolSize(settings.readers());
        config.setConnectionTimeout(READ_PATIENCE_MILLIS);
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }

    @Override
    public CompletionStage<List<@Nullable Row>> read(List<Key> keys) {
        return keys.isEmpty()
                ? CompletableFuture.completedFuture(List.of())
                : onReader(connection -> read(connection, keys));
    }

    private List<@Nullable Row> read(Connection connection, List<Key> keys) throws SQLException {
        Map<Key, Row> found = tables.read(connection, keys);
        List<@Nullable Row> rows = new ArrayList<>(keys.size());
        keys.forEach(key -> rows.add(found.get(key)));
        return rows;
    }

    @Override
    public CompletionStage<List<Row>> scan(Scan scan) {
        SqlTable table = tables.get(scan.table());
        return onReader(connection -> {
            List<Row> page = new ArrayList<>();
            try (PreparedStatement statement = connection.prepareStatement(table.scan(scan.after() == null))) {
                SqlTable.bindScan(statement, scan);
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        page.add(table.row(rows));
                    }
                }
            }
            return page;
        });
    }

    /** Asks the database. */
    @FunctionalInterface
    private interface Question<T> {
        T ask(Connection connection) throws SQLException;
    }

    private <T> CompletionStage<T> onReader(Question<T> question) {
        return readers.submit(() -> answer(question));
    }

    /** Asks again where the connection was lost: a pool does not know that of one which nobody used. */
    private <T> T answer(Question<T> question) {
        for (int attempt = 0; ; attempt++) {
            demandSettled();
            try (Connection connection = connections.getConnection()) {
                return question.ask(connection);
            } catch (SQLException e) {
                if (!SqlFailure.isConnection(e) || attempt > connections.getMaximumPoolSize()) {
                    throw SqlFailure.of("the store cannot read", e);
                }
            }
        }
    }

    @Override
    public CompletionStage<RowSnapshot> snapshot() {
        return readers.submit(() -> {
            SqlSnapshot taken = SqlSnapshot.take(settings, tables, readers);
            try {
                // Asked afterwards: the database was this process's while the snapshot was taken.
                demandSettled();
                return taken;
            } catch (FsException e) {
                taken.close();
                throw e;
            }
        });
    }

    private void demandSettled() {
        if (!writer.isSettled()) {
            throw new FsException(
                    ErrorCode.UNAVAILABLE, "the store has lost its database; check that the database runs");
        }
    }

    @Override
    public CompletionStage<Void> apply(List<Mutation> mutations, long deadlineMillis) {
        return commits.submit(mutations, bytes(mutations), Mutation.grow(mutations), deadlineMillis);
    }

    private static long bytes(List<Mutation> mutations) {
        long bytes = 0;
        for (Mutation mutation : mutations) {
            bytes += ROW_OVERHEAD;
            if (mutation instanceof Mutation.Put put) {
                for (Object value : put.row().values()) {
                    bytes += value instanceof byte[] content ? content.length : Long.BYTES;
                }
            }
        }
        return bytes;
    }

    @Override
    public void expectChanges() {
        commits.expect();
    }

    /** What keeps it from taking commits; empty where nothing does. */
    Optional<String> trouble() {
        return writer.isSettled()
                ? commits.trouble()
                : Optional.of("the store has lost its database, and tries with every commit to take it anew");
    }

    /** Renews the lease where nobody commits. */
    private void renew() {
        if (!closed) {
            if (writer.sinceCommit() > RENEWAL_NANOS) {
                commits.submit(List.of(), 0, false, Long.MAX_VALUE);
            }
            scheduler.schedule(RENEWAL_NANOS, this::renew);
        }
    }

    @Override
    public void close() {
        closed = true;
        commits.close();
        readers.close();
        connections.close();
        lease.leave();
    }
}
