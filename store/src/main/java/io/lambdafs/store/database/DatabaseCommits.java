package io.lambdafs.store.database;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.engine.GroupCommit;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes each group of commits as one database transaction. If the connection is lost midway, the database is retaken,
 * which reveals the group's outcome; until then nobody may read (PROTOCOL: D3). Confined to the commit thread but for
 * {@link #isSettled} and {@link #sinceCommit}.
 */
public final class DatabaseCommits implements GroupCommit.Writer<List<Mutation>> {
    private static final Logger LOG = LoggerFactory.getLogger(DatabaseCommits.class);
    private static final long PAUSE_MILLIS = 200;

    private final Scheduler scheduler;
    private final Database database;
    private final long patienceNanos;
    /** Number of the last group written. */
    private long lastGroup;

    private long lastTried;
    private volatile boolean settled = true;
    private volatile long committedAt;

    /**
     * Takes ownership of the database.
     *
     * @param patience how long commits wait for the database to come back, or for another to take its place
     * @throws FsException as {@link Database#take}
     */
    public DatabaseCommits(Scheduler scheduler, Database database, Duration patience) {
        this.scheduler = scheduler;
        this.database = database;
        this.patienceNanos = patience.toNanos();
        try {
            lastGroup = database.take();
        } catch (DatabaseLostException e) {
            throw e.reason();
        }
        this.committedAt = scheduler.nanoTime();
    }

    /** Returns whether every group's outcome is known and this process still owns the database. */
    public boolean isSettled() {
        return settled && sinceCommit() < Database.LEASE.toNanos();
    }

    /** Returns nanoseconds since the start of the last committed group. */
    long sinceCommit() {
        return scheduler.nanoTime() - committedAt;
    }

    /** Always null: a full database reports that itself and takes nothing. */
    @Override
    public @Nullable FsException full() {
        return null;
    }

    @Override
    public long write(List<List<Mutation>> group, BitSet refused) {
        // Numbers are not reused: that of a group with unknown outcome may be in the database.
        long number = Math.max(lastGroup, lastTried) + 1;
        lastTried = number;
        long began = scheduler.nanoTime();
        boolean lost = false;
        while (true) {
            try {
                if (!database.isTaken() && retake(number)) {
                    return group.size();
                }
                long writing = scheduler.nanoTime();
                int rows = database.write(number, group, refused);
                lastGroup = number;
                committedAt = writing;
                return rows;
            } catch (DatabaseLostException e) {
                if (!lost) {
                    LOG.warn("The database was lost during a group of commits: {}", e.getMessage());
                }
                lost = true;
                if (scheduler.nanoTime() - began > patienceNanos) {
                    throw unsettled(e);
                }
                pause();
            }
        }
    }

    /** Retakes the database; returns whether the group with that number was committed. */
    private boolean retake(long number) throws DatabaseLostException {
        long taking = scheduler.nanoTime();
        try {
            lastGroup = database.take();
        } catch (FsException e) {
            throw unsettled(e);
        }
        settled = true;
        committedAt = taking;
        return lastGroup >= number;
    }

    /** Nobody may read until the database has been taken anew. */
    private FsException unsettled(Exception why) {
        settled = false;
        return new FsException(
                ErrorCode.CONNECTION_LOST,
                "the store has lost its database (" + why.getMessage() + "): the commit may have been made",
                why);
    }

    /** Waits briefly for a database that is unreachable or owned by another process. */
    public static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw FsException.unavailable("interrupted while waiting for the database", e);
        }
    }
}
