package io.lambdafs.store.sql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.RowSnapshot;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Table;
import io.lambdafs.store.database.Database;
import io.lambdafs.store.database.DatabaseGoneError;
import io.lambdafs.store.database.DatabaseLostException;
import io.lambdafs.store.database.GroupChanges;
import io.lambdafs.store.engine.ReadPool;
import io.lambdafs.store.format.FormatLevel;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An SQL database: one connection for writes, with one transaction per group, and a pool of connections for reads, each
 * of which is one message and one snapshot.
 */
final class SqlDatabase implements Database {
    private static final long READ_PATIENCE_MILLIS = 10_000;

    private final SqlSettings settings;
    private final SqlTables tables = new SqlTables();
    private final BulkCopies copies = new BulkCopies();
    private final DatabaseLease lease;
    private final HikariDataSource connections;
    /**
     * True while the store is being loaded: until all rows are there they need not be durable. Null until the first
     * group checks.
     */
    private @Nullable Boolean loading;

    /** Connects to nothing yet. */
    SqlDatabase(SqlSettings settings) {
        this.settings = settings;
        this.lease = new DatabaseLease(settings, tables);
        this.connections = pool(settings);
    }

    /** Returns a pool of connections in which every message is one snapshot. */
    private static HikariDataSource pool(SqlSettings settings) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("store-read");
        config.setDataSource(DatabaseLease.source(settings, ""));
        // Not by an option of the connection, which then looks like one to a standby where the URL asks for a primary.
        config.setConnectionInitSql("SET default_transaction_read_only = on");
        // Given here, for a pool asks its first connection for it otherwise, which may be lost meanwhile.
        config.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
        config.setMaximumPoolSize(settings.readers());
        // The pool opens none on its own until the database is taken, and gives up none that works.
        config.setMinimumIdle(0);
        config.setIdleTimeout(0);
        config.setMaxLifetime(0);
        config.setConnectionTimeout(READ_PATIENCE_MILLIS);
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }

    @Override
    public long take() throws DatabaseLostException {
        // While the database is away, the pool connects for reads only, and pauses after failures.
        connections.setMinimumIdle(0);
        try {
            lease.take();
            loading = null;
            // The first read opens all connections, so that a burst of reads finds them open.
            connections.setMinimumIdle(settings.readers());
            return lease.lastGroup();
        } catch (SQLException e) {
            String what = "cannot use the database " + settings.url();
            if (SqlFailure.isConnection(e)) {
                throw new DatabaseLostException(SqlFailure.of(what, e));
            }
            throw SqlFailure.of(what, e);
        }
    }

    @Override
    public boolean isTaken() {
        return lease.isTaken();
    }

    @Override
    public int write(long number, List<List<Mutation>> group, BitSet refused) throws DatabaseLostException {
        try {
            if (!lease.begin(number)) {
                throw DatabaseGoneError.superseded();
            }
            Map<Key, @Nullable Row> changed =
                    GroupChanges.of(group, tables.read(lease.connection(), GroupChanges.begun(group)), refused);
            boolean levels = changed.containsKey(FormatLevel.KEY);
            if (!levels && isLoading()) {
                lease.commitBeforeItLasts();
            }
            write(changed);
            lease.commit(number);
            if (levels) {
                loading = FormatLevel.isLoading(changed.get(FormatLevel.KEY));
            }
            return changed.size();
        } catch (SQLException e) {
            if (!SqlFailure.isConnection(e)) {
                rollBack();
                throw SqlFailure.of("the store cannot write", e);
            }
            lease.lose();
            throw new DatabaseLostException(SqlFailure.of("the store cannot write", e));
        }
    }

    private boolean isLoading() throws SQLException {
        Boolean known = loading;
        if (known == null) {
            Map<Key, Row> level = tables.read(lease.connection(), List.of(FormatLevel.KEY));
            known = FormatLevel.isLoading(level.get(FormatLevel.KEY));
            loading = known;
        }
        return known;
    }

    private void rollBack() {
        try {
            lease.connection().rollback();
        } catch (SQLException e) {
            lease.lose();
        }
    }

    private void write(Map<Key, @Nullable Row> changed) throws SQLException {
        Map<Table, List<Row>> puts = new LinkedHashMap<>();
        Map<Table, List<Key>> deletes = new LinkedHashMap<>();
        changed.forEach((key, row) -> {
            if (row == null) {
                deletes.computeIfAbsent(key.table(), table -> new ArrayList<>()).add(key);
            } else {
                puts.computeIfAbsent(key.table(), table -> new ArrayList<>()).add(row);
            }
        });
        Connection connection = lease.connection();
        for (Map.Entry<Table, List<Row>> each : puts.entrySet()) {
            SqlTable table = tables.get(each.getKey());
            if (!copies.copy(connection, table, each.getValue())) {
                try (PreparedStatement statement = connection.prepareStatement(table.put())) {
                    table.bindRows(statement, 1, each.getValue());
                    statement.executeUpdate();
                }
            }
        }
        for (Map.Entry<Table, List<Key>> each : deletes.entrySet()) {
            SqlTable table = tables.get(each.getKey());
            try (PreparedStatement statement = connection.prepareStatement(table.delete())) {
                table.bindKeys(statement, 1, each.getValue(), false);
                statement.executeUpdate();
            }
        }
    }

    @Override
    public Map<Key, Row> read(Collection<Key> keys) throws DatabaseLostException {
        return answer(connection -> tables.read(connection, keys));
    }

    @Override
    public List<Row> scan(Scan scan) throws DatabaseLostException {
        SqlTable table = tables.get(scan.table());
        return answer(connection -> {
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

    /** A query to the database. */
    @FunctionalInterface
    private interface Question<T> {
        T ask(Connection connection) throws SQLException;
    }

    private <T> T answer(Question<T> question) throws DatabaseLostException {
        try (Connection connection = connections.getConnection()) {
            return question.ask(connection);
        } catch (SQLException e) {
            if (SqlFailure.isConnection(e)) {
                throw new DatabaseLostException(SqlFailure.of("the store cannot read", e));
            }
            throw SqlFailure.of("the store cannot read", e);
        }
    }

    @Override
    public RowSnapshot snapshot(ReadPool readers) {
        return SqlSnapshot.take(settings, tables, readers);
    }

    @Override
    public void close() {
        connections.close();
        lease.leave();
    }
}
