package io.lambdafs.store.sql;

import io.lambdafs.store.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/**
 * Writes many rows of a table by {@code COPY}, at a third of the cost of an {@code INSERT}, which first searches for
 * each row. {@code COPY} fails if a row exists: such a table is being changed, not loaded, so it is not tried there
 * again. Confined to one thread.
 */
final class BulkCopies {
    /** For fewer rows the savepoint does not pay. */
    static final int LEAST_ROWS = 1_000;

    private static final String UNIQUE_VIOLATION = "23505";

    private final Set<SqlTable> changed = new HashSet<>();

    /**
     * Copies rows within the connection's transaction.
     *
     * @return false if nothing was written because there are too few rows, or one of them exists
     */
    boolean copy(Connection connection, SqlTable table, List<Row> rows) throws SQLException {
        if (rows.size() < LEAST_ROWS || changed.contains(table)) {
            return false;
        }
        Savepoint before = connection.setSavepoint();
        try {
            send(rows, connection.unwrap(PGConnection.class).getCopyAPI().copyIn(table.copy()));
            connection.releaseSavepoint(before);
            return true;
        } catch (SQLException e) {
            if (!UNIQUE_VIOLATION.equals(e.getSQLState())) {
                throw e;
            }
            connection.rollback(before);
            changed.add(table);
            return false;
        }
    }

    private static void send(List<Row> rows, CopyIn copy) throws SQLException {
        try {
            CopyBytes.send(rows, copy);
        } finally {
            // After a failure; until then the connection takes no other statement.
            if (copy.isActive()) {
                copy.cancelCopy();
            }
        }
    }
}
