package io.lambdafs.store.sql;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;

/** Maps a database failure to its meaning, by its SQLSTATE. Stateless. */
final class SqlFailure {
    /** Serialisation failure, deadlock, lock timeout: the transaction was rolled back, and may be repeated. */
    private static final Set<String> CONFLICTS = Set.of("40001", "40P01", "55P03");

    private static final String NO_CONNECTION_LEFT = "53300";
    /** A limit in the server's settings. */
    private static final String LIMIT = "53400";

    private static final String CANCELLED = "57014";

    private SqlFailure() {}

    /** Returns whether the connection is gone, and with it the outcome of a commit under way. */
    static boolean isConnection(SQLException e) {
        String state = state(e);
        return state.startsWith("08")
                || state.startsWith("57P")
                || state.equals(NO_CONNECTION_LEFT)
                || state.equals("25P03")
                || state.equals("25006")
                || e instanceof SQLTransientConnectionException
                || isClosed(e);
    }

    private static boolean isClosed(SQLException e) {
        return state(e).isEmpty() && String.valueOf(e.getMessage()).contains("closed");
    }

    private static String state(SQLException e) {
        return e.getSQLState() == null ? "" : e.getSQLState();
    }

    /** @param what the action that failed */
    static FsException of(String what, SQLException e) {
        String state = state(e);
        String why = what + ": " + e.getMessage();
        if (CONFLICTS.contains(state)) {
            return new FsException(
                    ErrorCode.STORE_CONFLICT, why + "; nothing was changed: what else writes to these tables?", e);
        }
        if (state.equals(NO_CONNECTION_LEFT) || state.equals(LIMIT)) {
            return FsException.unavailable(
                    why + "; raise the limit, as max_connections, or let others connect less", e);
        }
        if (state.equals(CANCELLED)) {
            return FsException.unavailable(
                    why + "; nothing was changed: does somebody, or a statement_timeout, cancel what takes long?", e);
        }
        if (state.startsWith("53")) {
            return new FsException(ErrorCode.STORE_FULL, why + "; nothing was changed; give the database room", e);
        }
        if (state.startsWith("28")) {
            return FsException.unavailable(why + "; check the user and the password file of the store", e);
        }
        if (state.equals("3D000")) {
            return FsException.unavailable(why + "; make the database, or name another one", e);
        }
        if (state.startsWith("42")) {
            return FsException.unavailable(
                    why + "; the user needs the right to make and use tables in the schema " + SqlTable.SCHEMA, e);
        }
        if (isConnection(e)) {
            return FsException.unavailable(why + "; check that the database runs", e);
        }
        if (state.equals("54000")) {
            return FsException.invalidArgument(why + "; the database cannot index so long a name or path", e);
        }
        return new FsException(ErrorCode.INTERNAL, why + " (SQLSTATE " + state + ")", e);
    }
}
