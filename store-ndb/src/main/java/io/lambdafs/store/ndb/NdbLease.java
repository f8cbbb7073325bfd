package io.lambdafs.store.ndb;

import com.mysql.ndbjtie.ndbapi.NdbOperation;
import com.mysql.ndbjtie.ndbapi.NdbOperationConst.AbortOption;
import com.mysql.ndbjtie.ndbapi.NdbOperationConst.LockMode;
import com.mysql.ndbjtie.ndbapi.NdbTransaction;
import com.mysql.ndbjtie.ndbapi.NdbTransaction.ExecType;
import io.lambdafs.model.FsException;
import io.lambdafs.store.database.Database;
import io.lambdafs.store.database.DatabaseCommits;
import io.lambdafs.store.database.DatabaseGoneError;
import io.lambdafs.store.database.DatabaseLostException;
import io.lambdafs.store.ndb.row.NdbFailure;
import io.lambdafs.store.ndb.row.NdbSession;
import io.lambdafs.store.ndb.row.RowReads;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The right to change the database, in the row that names its holder. NDB has no locks that end with their session; so
 * a process that wants another's database watches the row: while its group numbers advance the holder is alive, and
 * once they have stood still for longer than its lease it answers nothing. No clocks are compared. Confined to one
 * thread. PROTOCOL: D1, D2, D4, D5, D6, D7, D9.
 */
final class NdbLease {
    private static final Logger LOG = LoggerFactory.getLogger(NdbLease.class);
    private static final long FORMAT = 1;
    private static final int ALREADY_THERE = 630;
    /** Longer than it takes to notice that the holder is gone. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    /** Checkpoints slower than this hold up each group for too long. */
    private static final Duration CHECKPOINT = Duration.ofSeconds(1);

    private final NdbSettings settings;
    private final long process;
    private HolderRow mine;
    private boolean held;
    /** True if the last taking found that NDB may have come back older. */
    private boolean older;

    /** @param process a number that no other process has */
    NdbLease(NdbSettings settings, long process) {
        this.settings = settings;
        this.process = process;
        this.mine = new HolderRow(settings.cluster(), FORMAT, 0, 0, 0, false);
    }

    /**
     * Creates the missing tables, and takes the database; returns the number of the last committed group.
     *
     * @throws FsException {@code UNAVAILABLE}: another process has it; {@code INVALID_ARGUMENT}: it is another
     *     cluster's, or of another format
     */
    long take(NdbSession session) throws DatabaseLostException {
        makeTables(session);
        long began = System.nanoTime();
        while (true) {
            HolderRow seen = awaitLease(session, began);
            if (takeAsSeen(session, seen)) {
                LOG.info(
                        "The NDB at {} is taken, incarnation {}, last group {}",
                        settings.connect(),
                        mine.incarnation(),
                        mine.lastGroup());
                if (older) {
                    Database.awaitLeases();
                }
                return mine.lastGroup();
            }
        }
    }

    private void makeTables(NdbSession session) throws DatabaseLostException {
        MadeTables.ensure(session, settings);
        HolderRow.ALIVE.ensure(session.dictionary());
        HolderRow.TABLE.ensure(session.dictionary());
        NdbTransaction transaction = HolderRow.begin(session);
        try {
            new HolderRow(settings.cluster(), FORMAT, 0, 0, 0, false).insert(session, transaction);
            if (transaction.execute(ExecType.Commit, AbortOption.AbortOnError, RowReads.FORCE_SEND) != 0
                    && transaction.getNdbError().code() != ALREADY_THERE) {
                throw NdbFailure.of("cannot write who holds the database", transaction.getNdbError());
            }
        } finally {
            transaction.close();
        }
    }

    /** Waits until no other process answers reads as the database's holder, and returns the row. */
    private HolderRow awaitLease(NdbSession session, long began) throws DatabaseLostException {
        HolderRow seen = look(session);
        long since = System.nanoTime();
        demandOurs(seen);
        if (seen.held() && seen.process() != process) {
            LOG.info("The NDB at {} was not left in order: its lease runs out first", settings.connect());
        }
        while (seen.held() && seen.process() != process && System.nanoTime() - since < Database.LEASE_OVER.toNanos()) {
            demandNotSuperseded(seen);
            DatabaseCommits.pause();
            HolderRow now = look(session);
            if (!now.equals(seen)) {
                seen = now;
                since = System.nanoTime();
                if (since - began > PATIENCE.toNanos()) {
                    throw FsException.unavailable("another process serves the store in the NDB at " + settings.connect()
                            + ": stop it, or name another NDB");
                }
            }
        }
        return seen;
    }

    private HolderRow look(NdbSession session) throws DatabaseLostException {
        NdbTransaction transaction = HolderRow.begin(session);
        try {
            HolderRow.Reading reading = HolderRow.read(session, transaction, LockMode.LM_CommittedRead);
            new RowReads(session, transaction).execute();
            return reading.row();
        } finally {
            transaction.close();
        }
    }

    private boolean takeAsSeen(NdbSession session, HolderRow seen) throws DatabaseLostException {
        NdbTransaction transaction = HolderRow.begin(session);
        try {
            HolderRow.Reading reading = HolderRow.read(session, transaction, LockMode.LM_Exclusive);
            NdbOperation life = HolderRow.lookForLife(session, transaction);
            new RowReads(session, transaction).execute();
            HolderRow now = reading.row();
            if (now.process() != process && !now.equals(seen)) {
                return false;
            }
            demandNotSuperseded(now);
            demandNotBehind(now);
            boolean restarted = life.getNdbError().code() == NdbFailure.NO_ROW;
            // That its holder left cleanly proves nothing: a later one may have been forgotten.
            if (!held && restarted) {
                LOG.info("NDB has been restarted as a whole, and may have come back older: every epoch before is dead");
                new OlderState(session, transaction).end();
            }
            HolderRow taken = now.takenBy(process);
            taken.update(session, transaction);
            taken.writeLife(session, transaction);
            commit(transaction);
            long checkpointNanos = awaitCheckpoint(session, transaction, taken);
            if (!held) {
                demandPrompt(checkpointNanos);
            }
            mine = taken;
            // A database that never had a holder has no lease.
            older = !held && restarted && now.incarnation() > 0;
            held = true;
            return true;
        } finally {
            transaction.close();
        }
    }

    private void demandOurs(HolderRow row) {
        if (!row.cluster().equals(settings.cluster())) {
            throw FsException.invalidArgument(
                    "the tables in the NDB at " + settings.connect() + " belong to the cluster " + row.cluster()
                            + ", this one is " + settings.cluster() + ": name another NDB");
        }
        if (row.format() != FORMAT) {
            throw FsException.invalidArgument("the tables in the NDB at " + settings.connect() + " have format "
                    + row.format() + ", this build reads " + FORMAT + "; use the build that wrote them");
        }
    }

    private void demandNotSuperseded(HolderRow row) {
        if (held && row.process() != process) {
            throw DatabaseGoneError.superseded();
        }
    }

    private void demandNotBehind(HolderRow row) {
        if (held && row.lastGroup() < mine.lastGroup()) {
            throw new DatabaseGoneError("the NDB at " + settings.connect()
                    + " has lost commits that it had acknowledged: its last group is " + row.lastGroup() + ", it was "
                    + mine.lastGroup());
        }
    }

    /** Defines the reading of the row under its lock, which a group begins with. */
    HolderRow.Reading lock(NdbSession session, NdbTransaction transaction) throws DatabaseLostException {
        return HolderRow.read(session, transaction, LockMode.LM_Exclusive);
    }

    /** Ends this process where another one has taken the database since {@link #take}. */
    void demandMine(HolderRow row) {
        if (row.process() != process || row.incarnation() != mine.incarnation()) {
            throw DatabaseGoneError.superseded();
        }
    }

    /** Commits a group, with its number; returns once the commit is as durable as an answer promises. */
    void commit(NdbSession session, NdbTransaction transaction, long group) throws DatabaseLostException {
        HolderRow after = mine.after(group);
        after.update(session, transaction);
        commit(transaction);
        awaitCheckpoint(session, transaction, after);
        mine = after;
    }

    /**
     * Waits until a commit is on the disks, if answers promise that (PROTOCOL: D9).
     *
     * @param row as committed
     * @return as {@link Checkpoints#await}
     */
    private long awaitCheckpoint(NdbSession session, NdbTransaction committed, HolderRow row)
            throws DatabaseLostException {
        if (settings.ack() == NdbAck.REPLICATED) {
            return 0;
        }
        try {
            return Checkpoints.await(Checkpoints.of(committed), () -> writeAgain(session, row));
        } catch (FsException e) {
            // A caller that gets a refusal concludes that nothing was written.
            throw new DatabaseLostException(e);
        }
    }

    /**
     * Rewrites the row unchanged, in a transaction that ends this process unless it holds the database; returns its
     * checkpoint.
     */
    private long writeAgain(NdbSession session, HolderRow row) throws DatabaseLostException {
        NdbTransaction transaction = HolderRow.begin(session);
        try {
            HolderRow.Reading reading = lock(session, transaction);
            new RowReads(session, transaction).execute();
            if (!reading.row().equals(row)) {
                throw DatabaseGoneError.superseded();
            }
            row.update(session, transaction);
            commit(transaction);
            return Checkpoints.of(transaction);
        } finally {
            transaction.close();
        }
    }

    static void demandPrompt(long checkpointNanos) {
        if (checkpointNanos > CHECKPOINT.toNanos()) {
            throw FsException.invalidArgument(
                    "answers wait for NDB's global checkpoints (ack checkpoint), and these take "
                            + Duration.ofNanos(checkpointNanos).toMillis()
                            + " ms: set TimeBetweenGlobalCheckpoints of the data nodes to 100, or ack to replicated");
        }
    }

    private static void commit(NdbTransaction transaction) throws DatabaseLostException {
        if (transaction.execute(ExecType.Commit, AbortOption.AbortOnError, RowReads.FORCE_SEND) != 0
                && transaction.commitStatus() != NdbTransaction.CommitStatusType.Committed) {
            throw NdbFailure.of("the store cannot write", transaction.getNdbError());
        }
    }

    /** Gives the database back cleanly. */
    void leave(NdbSession session) throws DatabaseLostException {
        NdbTransaction transaction = HolderRow.begin(session);
        try {
            HolderRow.Reading reading = lock(session, transaction);
            new RowReads(session, transaction).execute();
            demandMine(reading.row());
            mine.left().update(session, transaction);
            commit(transaction);
        } finally {
            transaction.close();
        }
    }
}
