package io.lambdafs.store.sql;

import io.lambdafs.store.Key;
import io.lambdafs.store.ReadPool;
import io.lambdafs.store.Row;
import io.lambdafs.store.RowSnapshot;
import io.lambdafs.store.Table;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A transaction of the database that reads only, with a connection of its own. Used by one caller at a time. */
final class SqlSnapshot implements RowSnapshot {
    private static final Logger LOG = LoggerFactory.getLogger(SqlSnapshot.class);
    /** Rows that a page has at most. */
    private static final int PAGE_ROWS = 8_192;

    private static final int FETCHED_ROWS = 1_024;
    /** Longer than the store waits before it gives an idle snapshot up. */
    private static final long IDLE_MILLIS = 2 * IDLE_LIMIT.toMillis();

    private final SqlTables tables;
    private final ReadPool readers;
    private final Connection connection;

    private SqlSnapshot(SqlTables tables, ReadPool readers, Connection connection) {
        this.tables = tables;
        this.readers = readers;
        this.connection = connection;
    }

    /** Begins the transaction; blocks. */
    static SqlSnapshot take(SqlSettings settings, SqlTables tables, ReadPool readers) {
        String options = "-c default_transaction_read_only=on -c idle_in_transaction_session_timeout=" + IDLE_MILLIS;
        try {
            Connection connection = DatabaseLease.source(settings, options).getConnection();
            try {
                connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
                connection.setAutoCommit(false);
                try (Statement first = connection.createStatement()) {
                    // The moment is that of the first statement which reads.
                    first.execute("SELECT count(*) FROM " + SqlTable.SCHEMA + ".settings");
                }
                return new SqlSnapshot(tables, readers, connection);
            } catch (SQLException e) {
                connection.close();
                throw e;
            }
        } catch (SQLException e) {
            throw SqlFailure.of("the store cannot take a snapshot", e);
        }
    }

    @Override
    public CompletionStage<List<Row>> page(Table table, @Nullable Key after) {
        return readers.submit(() -> {
            try {
                return read(tables.get(table), after);
            } catch (SQLException e) {
                throw SqlFailure.of("the store cannot read its snapshot", e);
            }
        });
    }

    private List<Row> read(SqlTable table, @Nullable Key after) throws SQLException {
        List<Row> page = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(table.page(after == null, PAGE_ROWS))) {
            if (after != null) {
                table.bindKeys(statement, 1, List.of(after), true);
            }
            // In parts: a page of large rows ends before.
            statement.setFetchSize(FETCHED_ROWS);
            try (ResultSet rows = statement.executeQuery()) {
                int bytes = 0;
                while (bytes < PAGE_BYTES && rows.next()) {
                    Row row = table.row(rows);
                    page.add(row);
                    bytes += row.estimatedBytes();
                }
            }
        }
        return page;
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            LOG.warn("A snapshot's connection did not close: {}", e.getMessage());
        }
    }
}
