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
import io.lambdafs.store.Row;
import io.lambdafs.store.RowEngine;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.Table;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Rows in a database of SQL. Reads go to a pool of threads with a connection each, every read one message and one snapshot; commits to one
 * thread. Thread-safe.
 */
final class SqlRows implements RowEngine {
    private static final int MAX_QUEUED_READS = 20_000;
    private static final int ROW_OVERHEAD = 64;
    private static final long RENEWAL_NANOS = 1_000_000_000L;
    private static final long READ_PATIENCE_MILLIS = 10_000;

    private final Map<Table, SqlTable> tables;
    private final DatabaseLease lease;
    private final SqlCommits writer;
    private final GroupCommit<List<Mutation>> commits;
    private final HikariDataSource connections;
    private final ThreadPoolExecutor readers;
    private final Scheduler scheduler;
    private volatile boolean closed;

    /** Takes the database; blocks until it is there. */
    SqlRows(Scheduler scheduler, SqlSettings settings, CommitObserver observer) {
        this.scheduler = scheduler;
        tables = Schema.TABLES.stream()
                .filter(Table::hasRows)
                .collect(Collectors.toUnmodifiableMap(table -> table, SqlTable::new));
        lease = new DatabaseLease(settings);
        try {
            lease.take();
        } catch (SQLException e) {
            throw SqlFailure.of("cannot use the database " + settings.url(), e);
        }
        connections = pool(settings);
        writer = new SqlCommits(scheduler, lease, tables);
        commits = new GroupCommit<>(scheduler, writer, observer);
        AtomicInteger count = new AtomicInteger();
        readers = new ThreadPoolExecutor(
                settings.readers(),
                settings.readers(),
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(MAX_QUEUED_READS),
                task -> {
                    Thread thread = new Thread(task, "store-read-" + count.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
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
        Map<Table, List<Key>> byTable = new LinkedHashMap<>();
        for (Key key : keys) {
            if (key.table().hasRows()) {
                byTable.computeIfAbsent(key.table(), table -> new ArrayList<>()).add(key);
            }
        }
        Map<Key, Row> found = byTable.isEmpty() ? Map.of() : select(connection, byTable);
        List<@Nullable Row> rows = new ArrayList<>(keys.size());
        keys.forEach(key -> rows.add(found.get(key)));
        return rows;
    }

    /** One message of a statement per table, and so one snapshot. */
    private Map<Key, Row> select(Connection connection, Map<Table, List<Key>> byTable) throws SQLException {
        String statements = byTable.entrySet().stream()
                .map(each -> table(each.getKey()).select(each.getValue().size() == 1))
                .collect(Collectors.joining("; "));
        Map<Key, Row> found = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(statements)) {
            int parameter = 1;
            for (Map.Entry<Table, List<Key>> each : byTable.entrySet()) {
                List<Key> keys = each.getValue();
                parameter = table(each.getKey()).bindKeys(statement, parameter, keys, keys.size() == 1);
            }
            statement.execute();
            for (Table each : byTable.keySet()) {
                try (ResultSet rows = statement.getResultSet()) {
                    while (rows.next()) {
                        Row row = table(each).row(rows);
                        found.put(row.key(), row);
                    }
                }
                statement.getMoreResults();
            }
        }
        return found;
    }

    private SqlTable table(Table table) {
        SqlTable known = tables.get(table);
        if (known == null) {
            throw new IllegalArgumentException(table + " has no rows");
        }
        return known;
    }

    @Override
    public CompletionStage<List<Row>> scan(Scan scan) {
        SqlTable table = table(scan.table());
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
        CompletableFuture<T> result = new CompletableFuture<>();
        try {
            readers.execute(() -> {
                try {
                    result.complete(answer(question));
                } catch (Throwable e) {
                    // An Error too, which the pool has a new thread for: whoever asked must not wait for ever.
                    result.completeExceptionally(e);
                }
            });
        } catch (RejectedExecutionException e) {
            String why = readers.isShutdown()
                    ? "the store is closed"
                    : MAX_QUEUED_READS + " reads wait for the database already; try again later";
            result.completeExceptionally(new FsException(ErrorCode.UNAVAILABLE, why, e));
        }
        return result;
    }

    /** Asks again where the connection was lost: a pool does not know that of one which nobody used. */
    private <T> T answer(Question<T> question) {
        for (int attempt = 0; ; attempt++) {
            if (!writer.isSettled()) {
                throw new FsException(
                        ErrorCode.UNAVAILABLE, "the store has lost its database; check that the database runs");
            }
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
        readers.shutdown();
        boolean interrupted = false;
        while (!readers.isTerminated()) {
            try {
                readers.awaitTermination(1, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        connections.close();
        lease.leave();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
