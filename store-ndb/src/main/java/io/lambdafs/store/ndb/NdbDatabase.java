package io.lambdafs.store.ndb;

import com.mysql.ndbjtie.ndbapi.NdbOperationConst.AbortOption;
import com.mysql.ndbjtie.ndbapi.NdbTransaction;
import com.mysql.ndbjtie.ndbapi.NdbTransaction.ExecType;
import io.lambdafs.model.FsException;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.RowSnapshot;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Table;
import io.lambdafs.store.database.Database;
import io.lambdafs.store.database.DatabaseGoneError;
import io.lambdafs.store.database.DatabaseLostException;
import io.lambdafs.store.engine.ReadPool;
import io.lambdafs.store.ndb.row.NdbSession;
import io.lambdafs.store.ndb.row.RowReads;
import io.lambdafs.store.ndb.row.RowScan;
import io.lambdafs.store.ndb.row.RowTable;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An NDB Cluster: one session for writes, with one transaction of two messages per group, and one session per thread
 * that reads.
 */
final class NdbDatabase implements Database {
    private static final Logger LOG = LoggerFactory.getLogger(NdbDatabase.class);
    /** Attempts to read at one moment before commits are paused for it. */
    private static final int MOMENT_TRIES = 4;

    private static final long READ_PAUSE_MILLIS = 50;

    private final NdbSettings settings;
    private final NdbLease lease;
    private final Moments moments = new Moments();
    private final NdbSnapshots snapshots = new NdbSnapshots();
    /** Held while a group is committed. */
    private final ReentrantLock committing = new ReentrantLock(true);

    private final boolean shared;

    private volatile @Nullable NdbConnection connection;
    private @Nullable Writing writing;

    /** The session for writes. */
    private record Writing(NdbConnection connection, NdbSession session) {}

    /**
     * Connects to nothing yet, unless a connection is given.
     *
     * @param process a number that no other process has
     * @param shared a connection in use elsewhere too; null for its own
     */
    NdbDatabase(NdbSettings settings, long process, @Nullable NdbConnection shared) {
        this.settings = settings;
        this.lease = new NdbLease(settings, process);
        this.shared = shared != null;
        this.connection = shared;
    }

    @Override
    public long take() throws DatabaseLostException {
        lose();
        try {
            return take(connected());
        } catch (DatabaseLostException e) {
            // The connection finds data nodes again, but not after all of them were gone.
            disconnect();
            throw e;
        }
    }

    private NdbConnection connected() throws DatabaseLostException {
        NdbConnection open = connection;
        if (open == null) {
            open = NdbConnection.open(settings.connect());
            connection = open;
        }
        return open;
    }

    private long take(NdbConnection open) throws DatabaseLostException {
        NdbSession session = open.session();
        try {
            long group = lease.take(session);
            // The outcome of the group under way is now known.
            moments.end();
            writing = new Writing(open, session);
            return group;
        } finally {
            if (writing == null) {
                open.drop(session);
            }
        }
    }

    private void disconnect() {
        NdbConnection open = connection;
        if (open != null && !shared) {
            connection = null;
            open.close();
        }
    }

    @Override
    public boolean isTaken() {
        return writing != null;
    }

    private void lose() {
        Writing lost = writing;
        writing = null;
        if (lost != null) {
            lost.connection().drop(lost.session());
        }
    }

    @Override
    public int write(long number, List<List<Mutation>> group, BitSet refused) throws DatabaseLostException {
        Writing now = writing;
        if (now == null) {
            throw new IllegalStateException("the database is not taken");
        }
        try {
            return write(now.session(), number, group, refused);
        } catch (DatabaseLostException e) {
            lose();
            throw e;
        }
    }

    private int write(NdbSession session, long number, List<List<Mutation>> group, BitSet refused)
            throws DatabaseLostException {
        NdbTransaction transaction = HolderRow.begin(session);
        snapshots.beginGroup();
        try {
            GroupWrite write = new GroupWrite(session, transaction, lease);
            Map<Key, @Nullable Row> changed = write.begin(group, refused);
            snapshots.note(new RowReads(session, transaction), changed.keySet());
            write.change(changed);
            commit(session, transaction, number, changed.keySet());
            return changed.size();
        } catch (FsException | DatabaseGoneError e) {
            transaction.execute(ExecType.Rollback, AbortOption.AO_IgnoreError, RowReads.FORCE_SEND);
            throw e;
        } finally {
            snapshots.endGroup();
            transaction.close();
        }
    }

    private void commit(NdbSession session, NdbTransaction transaction, long number, Set<Key> changed)
            throws DatabaseLostException {
        committing.lock();
        try {
            moments.begin(changed);
            lease.commit(session, transaction, number);
            moments.end();
        } catch (FsException e) {
            // Nothing was written.
            moments.end();
            throw e;
        } finally {
            committing.unlock();
        }
    }

    @Override
    public Map<Key, Row> read(Collection<Key> keys) throws DatabaseLostException {
        Set<Key> wanted = new HashSet<>();
        keys.stream().filter(key -> key.table().hasRows()).forEach(wanted::add);
        if (wanted.isEmpty()) {
            return Map.of();
        }
        Key first = wanted.iterator().next();
        return atOneMoment(since -> moments.held(since, wanted), session -> {
            NdbTransaction transaction = session.begin(RowTable.of(first), first.partition());
            try {
                return new RowReads(session, transaction).rows(wanted);
            } finally {
                transaction.close();
            }
        });
    }

    @Override
    public List<Row> scan(Scan scan) throws DatabaseLostException {
        Moments.Partition partition = new Moments.Partition(scan.table(), scan.partition());
        return atOneMoment(since -> moments.held(since, partition), session -> {
            NdbTransaction transaction = session.begin(RowTable.get(scan.table()), scan.partition());
            try {
                return new RowScan(session, transaction).page(scan);
            } finally {
                transaction.close();
            }
        });
    }

    @Override
    public RowSnapshot snapshot(ReadPool readers) {
        return snapshots.take(readers, this::page, moments::isQuiet);
    }

    private List<RowScan.Stored> page(Table table, @Nullable Key after) throws DatabaseLostException {
        return onSession(session -> {
            NdbTransaction transaction = HolderRow.begin(session);
            try {
                return new RowScan(session, transaction).all(table, after, RowSnapshot.PAGE_BYTES);
            } finally {
                transaction.close();
            }
        });
    }

    /** A query to NDB. */
    @FunctionalInterface
    private interface Question<T> {
        T ask(NdbSession session) throws DatabaseLostException;
    }

    private <T> T atOneMoment(LongPredicate held, Question<T> question) throws DatabaseLostException {
        for (int i = 0; i < MOMENT_TRIES; i++) {
            long since = moments.now();
            try {
                T answer = onSession(question);
                if (held.test(since)) {
                    return answer;
                }
            } catch (FsException e) {
                // Parts of a row from two moments make no row.
                if (held.test(since)) {
                    throw e;
                }
            }
        }
        committing.lock();
        try {
            if (!moments.isQuiet()) {
                throw new DatabaseLostException(
                        FsException.unavailable("the store has lost NDB in the middle of a commit; try again later"));
            }
            return onSession(question);
        } finally {
            committing.unlock();
        }
    }

    private <T> T onSession(Question<T> question) throws DatabaseLostException {
        NdbConnection open = connection;
        if (open == null) {
            pause();
            throw new DatabaseLostException(
                    FsException.unavailable("the store has lost NDB, and connects anew; try again later"));
        }
        NdbSession session = open.session();
        boolean failed = true;
        try {
            T answer = question.ask(session);
            failed = false;
            return answer;
        } catch (DatabaseLostException e) {
            pause();
            throw e;
        } finally {
            if (failed) {
                open.drop(session);
            } else {
                open.giveBack(session);
            }
        }
    }

    /** The client keeps asking a data node for a moment after it is gone. */
    private static void pause() {
        try {
            Thread.sleep(READ_PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        Writing now = writing;
        if (now != null) {
            try {
                lease.leave(now.session());
            } catch (DatabaseLostException | RuntimeException | DatabaseGoneError e) {
                LOG.info("NDB could not be given back in order: {}", e.getMessage());
            }
            lose();
        }
        disconnect();
    }
}
