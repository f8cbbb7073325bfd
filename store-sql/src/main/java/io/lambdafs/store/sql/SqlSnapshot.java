package io.lambdafs.store.sql;

import io.lambdafs.store.Key;
import io.lambdafs.store.Row;
import io.lambdafs.store.RowSnapshot;
import io.lambdafs.store.Table;
import io.lambdafs.store.engine.ReadPool;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyOut;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A read-only transaction of the database, on its own connection. Reads a table by {@code COPY}, in parts of several
 * pages that callers request in turn; a page that does not follow the previous one starts a new {@code COPY}. Used by
 * one caller at a time.
 */
final class SqlSnapshot implements RowSnapshot {
    private static final Logger LOG = LoggerFactory.getLogger(SqlSnapshot.class);
    /** The rows of the first part; a later one has as many rows as several pages had, up to the maximum. */
    private static final int FIRST_ROWS = 256;

    private static final int MOST_ROWS = 65_536;
    private static final int PAGES_AT_ONCE = 8;
    /** Longer than the store waits before it gives up an idle snapshot. */
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
        // Without a sort, rows come at once, by the index; sorting a table would take disk space in the database.
        String options = "-c enable_sort=off -c idle_in_transaction_session_timeout=" + IDLE_MILLIS;
        try {
            Connection connection = DatabaseLease.source(settings, options).getConnection();
            try {
                connection.setReadOnly(true);
                connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
                connection.setAutoCommit(false);
                try (Statement first = connection.createStatement()) {
                    // The snapshot is as of the first statement that reads.
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
                return read(table, after);
            } catch (SQLException e) {
                throw SqlFailure.of("the store cannot read its snapshot", e);
            }
        });
    }

    private List<Row> read(Table table, @Nullable Key after) throws SQLException {
        Reading open = reading;
        if (open == null || !open.follows(table, after)) {
            reading = null;
            if (open != null) {
                open.end();
            }
            open = new Reading(table, after);
            reading = open;
        }
        return open.page();
    }

    /** A read of a table, starting after a key. */
    private final class Reading {
        private final Table table;
        private @Nullable Key last;
        private int limit = FIRST_ROWS;
        /** The part being received; null between two parts. */
        private @Nullable CopyOut part;

        private int left;
        private boolean over;

        Reading(Table table, @Nullable Key after) {
            this.table = table;
            this.last = after;
        }

        /** Returns whether the next row is the requested one. */
        boolean follows(Table asked, @Nullable Key after) {
            return asked.equals(table) && after != null && Objects.equals(after, last);
        }

        List<Row> page() throws SQLException {
            List<Row> page = new ArrayList<>();
            int bytes = 0;
            while (bytes < PAGE_BYTES && !over) {
                Row row = next();
                if (row == null) {
                    // A part that had all the rows it was to have may be followed by others.
                    over = left > 0;
                } else {
                    page.add(row);
                    bytes += row.estimatedBytes();
                    last = row.key();
                }
            }
            limit = Math.max(1, Math.min(PAGES_AT_ONCE * page.size(), MOST_ROWS));
            return page;
        }

        /** Returns the next row of the part; null at its end. */
        private @Nullable Row next() throws SQLException {
            CopyOut coming = part;
            boolean first = coming == null;
            if (coming == null) {
                coming = connection
                        .unwrap(PGConnection.class)
                        .getCopyAPI()
                        .copyOut(tables.get(table).copyAfter(last, limit));
                part = coming;
                left = limit;
            }
            // PostgreSQL's protocol sends one message per row; the header comes with the first.
            byte[] message = coming.readFromCopy();
            if (message == null) {
                part = null;
                return null;
            }
            ByteBuffer in = ByteBuffer.wrap(message);
            if (first) {
                CopyBytes.skipHeader(in);
            }
            Row row = in.hasRemaining() ? CopyBytes.read(table, in) : null;
            if (row == null) {
                return next();
            }
            left--;
            return row;
        }

        /** Skips the rest of the part, because the connection takes no other statement meanwhile. */
        void end() throws SQLException {
            CopyOut coming = part;
            if (coming != null) {
                boolean more = true;
                while (more) {
                    more = coming.readFromCopy() != null;
                }
            }
        }
    }

    @Override
    public void close() {
        Reading open = reading;
        try {
            if (open == null || open.part == null) {
                connection.close();
            } else {
                connection.abort(Runnable::run);
            }
        } catch (SQLException e) {
            LOG.warn("A snapshot's connection did not close: {}", e.getMessage());
        }
    }
}
