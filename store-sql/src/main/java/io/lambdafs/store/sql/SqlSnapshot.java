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
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A transaction of the database that reads only, with a connection of its own. A table is read by one statement, whose rows come in parts
 * as pages are asked for in turn; a page that does not follow the one before is asked for anew. Used by one caller at a time.
 */
final class SqlSnapshot implements RowSnapshot {
    private static final Logger LOG = LoggerFactory.getLogger(SqlSnapshot.class);
    /** Rows that come at once: of the first part, and at most. Large rows come by as many as their page had. */
    private static final int FIRST_ROWS = 256;

    private static final int MOST_ROWS = 8_192;
    /** Longer than the store waits before it gives an idle snapshot up. */
    private static final long IDLE_MILLIS = 2 * IDLE_LIMIT.toMillis();

    private final SqlTables tables;
    private final ReadPool readers;
    private final Connection connection;
    private @Nullable Reading reading;

    private SqlSnapshot(SqlTables tables, ReadPool readers, Connection connection) {
        this.tables = tables;
        this.readers = readers;
        this.connection = connection;
    }

    /** Begins the transaction; blocks. */
    static SqlSnapshot take(SqlSettings settings, SqlTables tables, ReadPool readers) {
        // Without a sort rows come at once, by the index; a sorted table would take room on the database's disk.
        String options = "-c enable_sort=off -c idle_in_transaction_session_timeout=" + IDLE_MILLIS;
        try {
            Connection connection = DatabaseLease.source(settings, options).getConnection();
            try {
                connection.setReadOnly(true);
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
        Reading open = reading;
        if (open == null || !open.follows(table, after)) {
            reading = null;
            if (open != null) {
                open.statement.close();
            }
            open = new Reading(table, after);
            reading = open;
        }
        return open.page();
    }

    /** A table from a key on. */
    private final class Reading {
        private final SqlTable table;
        private final PreparedStatement statement;
        private final ResultSet rows;
        private @Nullable Key last;

        Reading(SqlTable table, @Nullable Key after) throws SQLException {
            this.table = table;
            this.last = after;
            statement = connection.prepareStatement(table.from(after == null));
            statement.setFetchSize(FIRST_ROWS);
            if (after != null) {
                table.bindKeys(statement, 1, List.of(after), true);
            }
            rows = statement.executeQuery();
        }

        /** Whether the next row is the one that is asked for. */
        boolean follows(SqlTable asked, @Nullable Key after) {
            return asked.equals(table) && after != null && Objects.equals(after, last);
        }

        List<Row> page() throws SQLException {
            List<Row> page = new ArrayList<>();
            int bytes = 0;
            while (bytes < PAGE_BYTES && rows.next()) {
                Row row = table.row(rows);
                page.add(row);
                bytes += row.estimatedBytes();
                last = row.key();
            }
            rows.setFetchSize(Math.max(1, Math.min(page.size(), MOST_ROWS)));
            return page;
        }
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
