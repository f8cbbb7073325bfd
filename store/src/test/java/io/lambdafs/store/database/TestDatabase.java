package io.lambdafs.store.database;

import static io.lambdafs.store.StoreContract.await;
import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toMap;

import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.RowSnapshot;
import io.lambdafs.store.Scan;
import io.lambdafs.store.SnapshotScan;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.Table;
import io.lambdafs.store.engine.ReadPool;
import io.lambdafs.store.memory.MemoryStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A database in memory that is lost when a test says so. Thread-safe. */
final class TestDatabase implements Database {
    /** Outcomes of a group of commits. */
    enum Write {
        MADE,
        /** The connection breaks before the database has it. */
        LOST,
        /** The connection breaks before the answer. */
        UNANSWERED
    }

    private final MemoryStore rows;
    private final Queue<Write> writes = new ArrayDeque<>();
    private boolean taken;
    private boolean away;
    private long group;
    private int lostReads;
    private int snapshots;
    private boolean closed;
    private final List<Long> numbers = new ArrayList<>();

    TestDatabase(Scheduler scheduler) {
        rows = new MemoryStore(scheduler);
    }

    /** Says what happens to the next groups; those after them are made. */
    synchronized void then(Write... next) {
        writes.addAll(List.of(next));
    }

    /** Nobody reaches it, or somebody can again. */
    synchronized void setAway(boolean now) {
        away = now;
        taken &= !now;
    }

    /** The next reads find their connections lost. */
    synchronized void loseReads(int many) {
        lostReads = many;
    }

    /** Returns the numbers of all groups that it was sent. */
    synchronized List<Long> numbers() {
        return List.copyOf(numbers);
    }

    synchronized int openSnapshots() {
        return snapshots;
    }

    synchronized boolean isClosed() {
        return closed;
    }

    private static DatabaseLostException lost() {
        return new DatabaseLostException(FsException.unavailable("the database is away"));
    }

    @Override
    public synchronized long take() throws DatabaseLostException {
        if (away) {
            throw lost();
        }
        taken = true;
        return group;
    }

    @Override
    public synchronized boolean isTaken() {
        return taken;
    }

    @Override
    public synchronized int write(long number, List<List<Mutation>> commits, BitSet refused)
            throws DatabaseLostException {
        numbers.add(number);
        Write fate = writes.isEmpty() ? Write.MADE : writes.remove();
        if (fate == Write.LOST || away) {
            taken = false;
            throw lost();
        }
        List<Mutation> changes = new ArrayList<>();
        GroupChanges.of(commits, found(GroupChanges.begun(commits)), refused)
                .forEach((key, row) -> changes.add(row == null ? new Mutation.Delete(key) : new Mutation.Put(row)));
        await(rows.begin(0).commit(changes, Long.MAX_VALUE));
        group = number;
        if (fate == Write.UNANSWERED) {
            taken = false;
            throw lost();
        }
        return changes.size();
    }

    private Map<Key, Row> found(Collection<Key> keys) {
        Set<Key> asked = Set.copyOf(keys);
        return rows.rows().stream().filter(row -> asked.contains(row.key())).collect(toMap(Row::key, identity()));
    }

    private void demandConnection() throws DatabaseLostException {
        if (away) {
            throw lost();
        }
        if (lostReads > 0) {
            lostReads--;
            throw lost();
        }
    }

    @Override
    public synchronized Map<Key, Row> read(Collection<Key> keys) throws DatabaseLostException {
        demandConnection();
        return found(keys);
    }

    @Override
    public synchronized List<Row> scan(Scan scan) throws DatabaseLostException {
        demandConnection();
        StoreTransaction transaction = rows.begin(0);
        List<Row> page = await(transaction.scan(scan));
        transaction.abort();
        return page;
    }

    @Override
    public synchronized RowSnapshot snapshot(ReadPool readers) {
        snapshots++;
        String snapshot = await(rows.openSnapshot());
        return new RowSnapshot() {
            @Override
            public CompletionStage<List<Row>> page(Table table, @Nullable Key after) {
                return rows.scanSnapshot(new SnapshotScan(snapshot, table, after));
            }

            @Override
            public void close() {
                await(rows.closeSnapshot(snapshot));
                synchronized (TestDatabase.this) {
                    snapshots--;
                }
            }
        };
    }

    @Override
    public synchronized void close() {
        closed = true;
        rows.close();
    }
}
