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
 * Writes many rows of a table by {@code COPY}, which costs a third of an {@code INSERT} that has to look for each of them first, but fails where one
 * is there. A table in which that happened is one whose rows are changed, not loaded: it is not tried there again. Confined to one thread.
 */
final class BulkCopies {
    /** Fewer rows are not worth the savepoint. */
    static final int LEAST_ROWS = 1_000;

    private static final String UNIQUE_VIOLATION = "23505";

    private final Set<SqlTable> changed = new HashSet<>();

    /**
     * Copies rows within the transaction of the connection.
     *
     * @return false where nothing was written: there are too few, or one of them is there already
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
            // After a failure; the connection takes no other statement meanwhile.
            if (copy.isActive()) {
                copy.cancelCopy();
            }
        }
    }
}
