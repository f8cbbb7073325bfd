package io.lambdafs.store.sql;

import io.lambdafs.model.FsException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Examines a database that holds the metadata, or may come to hold them: it must be reachable and durable, and must
 * free the locks of a frozen server. Stateless.
 */
public final class DatabaseExam {
    private static final long CLOCK_TOLERANCE_MILLIS = 2_000;
    /** The limit for a session that the store opens; the store asks for 10 s. */
    private static final long IDLE_LIMIT_MILLIS = 60_000;

    private static final long KEEPALIVE_SECONDS = 60;

    private DatabaseExam() {}

    /** A fault: its description, why it matters, and the change that repairs it. */
    public record Fault(String what, String why, String change) {}

    /** Finds the faults; changes nothing. */
    public static List<Fault> of(SqlSettings settings, boolean mayLose) {
        List<Fault> faults = new ArrayList<>();
        try (Connection connection = SqlHosts.connect(settings, "-c synchronous_commit=on")) {
            for (String setting : List.of("fsync", "full_page_writes")) {
                if (!show(connection, setting).equals("on")) {
                    faults.add(new Fault(
                            setting + " is off in " + settings.url(),
                            "a power failure can lose or tear commits that were acknowledged",
                            "set " + setting + " = on"));
                }
            }
            if (!show(connection, "synchronous_commit").equals("on")) {
                faults.add(new Fault(
                        "synchronous_commit is not on for the store's sessions",
                        "a crash can lose commits that were acknowledged",
                        "let the user set it: is it fixed by ALTER ROLE or by a pooler?"));
            }
            if (!show(connection, "standard_conforming_strings").equals("on")) {
                faults.add(new Fault(
                        "standard_conforming_strings is not on for the store's sessions",
                        "names with a backslash are read as other names",
                        "let the store set it: is it fixed by a pooler?"));
            }
            faults.addAll(new SqlSchema(new SqlTables()).faults(connection, settings));
            checkFreedLocks(
                    number(show(connection, "idle_in_transaction_session_timeout")),
                    number(show(connection, "tcp_keepalives_idle")),
                    faults);
            checkClock(connection, faults);
            if (!mayLose) {
                checkStandbys(connection, faults);
            }
        } catch (SQLException e) {
            FsException why = SqlFailure.of("cannot use the database " + settings.url(), e);
            faults.add(new Fault(String.valueOf(why.getMessage()), "the store cannot serve", "see the message"));
        }
        return faults;
    }

    private static String show(Connection connection, String setting) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT setting FROM pg_settings WHERE name = ?")) {
            statement.setString(1, setting);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? row.getString(1) : "";
            }
        }
    }

    /** Checks that the sessions' limits, in ms and in s, free a frozen store server's locks for another one. */
    static void checkFreedLocks(long idle, long keepalive, List<Fault> faults) {
        if (idle <= 0 || idle > IDLE_LIMIT_MILLIS) {
            faults.add(new Fault(
                    "idle_in_transaction_session_timeout is " + idle + " ms for the store's sessions",
                    "a store server that stands still in a transaction keeps its locks, and no other can take its place",
                    "let the store set it (it asks for 10 s): is it fixed by a pooler?"));
        }
        // A connection without TCP reports 0.
        if (keepalive > KEEPALIVE_SECONDS) {
            faults.add(new Fault(
                    "tcp_keepalives_idle is " + keepalive + " s for the store's sessions",
                    "the session of a machine that has gone holds the database for so long",
                    "let the store set it (it asks for 5 s): is it fixed by a pooler?"));
        }
    }

    private static long number(String text) {
        return text.matches("-?[0-9]{1,18}") ? Long.parseLong(text) : 0;
    }

    private static void checkClock(Connection connection, List<Fault> faults) throws SQLException {
        long before = System.currentTimeMillis();
        try (Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")) {
            row.next();
            long apart = apart(row.getLong(1), before, System.currentTimeMillis());
            if (apart > CLOCK_TOLERANCE_MILLIS) {
                faults.add(new Fault(
                        "the database's clock and this machine's are at least " + apart + " ms apart",
                        "times in logs do not compare, and backups are found by their time",
                        "have both machines' clocks set by NTP"));
            }
        }
    }

    /**
     * Returns the distance of a clock reading from the interval between two readings of this machine's clock, so that a
     * slow answer does not count.
     */
    static long apart(long there, long before, long after) {
        return Math.max(0, Math.max(there - after, before - there));
    }

    private static void checkStandbys(Connection connection, List<Fault> faults) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT coalesce(application_name, '?'), sync_state"
                        + " FROM pg_stat_replication ORDER BY 1")) {
            while (row.next()) {
                String state = row.getString(2);
                if (state == null) {
                    faults.add(new Fault(
                            "whether the standby " + row.getString(1) + " is synchronous cannot be seen",
                            "one that is not loses acknowledged commits when it is promoted",
                            "GRANT pg_monitor to the store's user, or say --may-lose"));
                } else if (!state.equals("sync") && !state.equals("quorum")) {
                    faults.add(new Fault(
                            "the standby " + row.getString(1) + " is " + state,
                            "it loses acknowledged commits when it is promoted, and the store then refuses to serve",
                            "name it in synchronous_standby_names, or say --may-lose where it is never promoted"));
                }
            }
        }
    }
}
