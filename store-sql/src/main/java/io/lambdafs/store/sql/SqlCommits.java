package io.lambdafs.store.sql;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Scheduler;
import io.lambdafs.store.ChangeLog;
import io.lambdafs.store.Deltas;
import io.lambdafs.store.GroupCommit;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Table;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes groups of commits, each as one transaction of the database. Where the connection is lost under way, the database is taken anew,
 * which says how the group ended; until then nobody may read (PROTOCOL: D3). Confined to the commit thread but for {@link #isSettled}.
 */
final class SqlCommits implements GroupCommit.Writer<List<Mutation>> {
    private static final Logger LOG = LoggerFactory.getLogger(SqlCommits.class);
    private final Scheduler scheduler;
    private final DatabaseLease lease;
    private final SqlTables tables;
    private final long patienceNanos;
    private long lastTried;
    private volatile boolean settled = true;
    private volatile long committedAt;

    /** @param patience for a database to come back, or for another one to take its place, while commits wait */
    SqlCommits(Scheduler scheduler, DatabaseLease lease, SqlTables tables, Duration patience) {
        this.scheduler = scheduler;
        this.lease = lease;
        this.tables = tables;
        this.patienceNanos = patience.toNanos();
        this.committedAt = scheduler.nanoTime();
    }

    /** Whether it is known how every group ended, and that the database is still this process's. */
    boolean isSettled() {
        return settled && sinceCommit() < DatabaseLease.LEASE.toNanos();
    }

    /** Nanoseconds since a group that was committed began. */
    long sinceCommit() {
        return scheduler.nanoTime() - committedAt;
    }

    /** The database says by itself that it is full, and then takes nothing. */
    @Override
    public @Nullable FsException full() {
        return null;
    }

    @Override
    public long write(List<List<Mutation>> group) {
        // No number twice: the one of a group whose end is not known may be found in the database.
        long number = Math.max(lease.lastGroup(), lastTried) + 1;
        lastTried = number;
        long began = scheduler.nanoTime();
        while (true) {
            try {
                if (!lease.isTaken() && retake(number)) {
                    return group.size();
                }
                return write(group, number);
            } catch (SQLException e) {
                if (!SqlFailure.isConnection(e)) {
                    rollBack();
                    throw SqlFailure.of("the store cannot write", e);
                }
                LOG.warn("The database was lost during a group of commits: {}", e.getMessage());
                lease.lose();
                if (scheduler.nanoTime() - began > patienceNanos) {
                    throw unsettled(e);
                }
                DatabaseLease.pause();
            }
        }
    }

    /** Takes the database anew; returns whether the group of that number turns out to have been made. */
    private boolean retake(long number) throws SQLException {
        long taking = scheduler.nanoTime();
        try {
            lease.take();
        } catch (SQLException e) {
            if (SqlFailure.isConnection(e)) {
                throw e;
            }
            throw unsettled(e);
        } catch (FsException e) {
            throw unsettled(e);
        }
        settled = true;
        committedAt = taking;
        return lease.lastGroup() >= number;
    }

    /** Nobody may read until the database has been taken anew. */
    private FsException unsettled(Exception why) {
        settled = false;
        return new FsException(
                ErrorCode.CONNECTION_LOST,
                "the store has lost its database (" + why.getMessage() + "): the commit may have been made",
                why);
    }

    private void rollBack() {
        try {
            lease.connection().rollback();
        } catch (SQLException e) {
            lease.lose();
        }
    }

    private long write(List<List<Mutation>> group, long number) throws SQLException {
        long began = scheduler.nanoTime();
        if (!lease.begin(number)) {
            throw new DatabaseLease.Superseded();
        }
        Map<Key, @Nullable Row> changed = changed(group);
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
            try (PreparedStatement statement = connection.prepareStatement(table.put())) {
                table.bindRows(statement, 1, each.getValue());
                statement.executeUpdate();
            }
        }
        for (Map.Entry<Table, List<Key>> each : deletes.entrySet()) {
            SqlTable table = tables.get(each.getKey());
            try (PreparedStatement statement = connection.prepareStatement(table.delete())) {
                table.bindKeys(statement, 1, each.getValue(), false);
                statement.executeUpdate();
            }
        }
        lease.commit(number);
        committedAt = began;
        return changed.size();
    }

    /** What the group makes of each row; null where it is removed. */
    private Map<Key, @Nullable Row> changed(List<List<Mutation>> group) throws SQLException {
        Map<Key, Row> merged = merged(group);
        Map<Key, @Nullable Row> changed = new LinkedHashMap<>();
        for (List<Mutation> commit : group) {
            for (Mutation mutation : commit) {
                Key key = mutation.key();
                if (mutation instanceof Mutation.Put put) {
                    changed.put(key, put.row());
                } else if (mutation instanceof Mutation.Merge merge) {
                    Row before = changed.containsKey(key) ? changed.get(key) : merged.get(key);
                    changed.put(key, Deltas.apply(before, merge));
                } else if (mutation instanceof Mutation.Append append) {
                    Row next = changed.getOrDefault(ChangeLog.NEXT, merged.get(ChangeLog.NEXT));
                    long position = ChangeLog.position(next);
                    Key placed = ChangeLog.key(position);
                    changed.put(placed, append.row().at(placed));
                    changed.put(ChangeLog.NEXT, ChangeLog.after(position));
                } else {
                    changed.put(key, null);
                }
            }
        }
        return changed;
    }

    /** The rows, as they are, that merges and positions begin with: nobody else changes them. */
    private Map<Key, Row> merged(List<List<Mutation>> group) throws SQLException {
        Set<Key> begun = new LinkedHashSet<>();
        for (List<Mutation> commit : group) {
            for (Mutation mutation : commit) {
                if (mutation instanceof Mutation.Append) {
                    begun.add(ChangeLog.NEXT);
                } else if (mutation instanceof Mutation.Merge) {
                    begun.add(mutation.key());
                }
            }
        }
        return tables.read(lease.connection(), begun);
    }
}
