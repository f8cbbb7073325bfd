package io.lambdafs.store.engine;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.store.Key;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.RowSum;
import io.lambdafs.store.Rows;
import io.lambdafs.store.SnapshotScan;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.lock.LockTable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A transactional store by strict two-phase locking over any {@link RowEngine}. Locks exist in this process only: a
 * restart frees them, and an earlier transaction can no longer commit. Thread-safe; has no threads; time comes from the
 * scheduler.
 */
public final class LockingStore implements MetadataStore {
    /** Maximum number of fenced epochs remembered; older ones are refused by their missing row. */
    private static final int MAX_FENCED_EPOCHS = 65_536;

    private final Scheduler scheduler;
    private final StoreLimits limits;
    private final RowEngine engine;
    private final LockTable locks;
    private final OpenTransactions open;
    private final Snapshots snapshots;
    private final Set<Long> fenced =
            Collections.synchronizedSet(Collections.newSetFromMap(new LinkedHashMap<Long, Boolean>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Long, Boolean> eldest) {
                    return size() > MAX_FENCED_EPOCHS;
                }
            }));
    private volatile boolean closed;

    public LockingStore(Scheduler scheduler, StoreLimits limits, RowEngine engine) {
        this.scheduler = scheduler;
        this.limits = limits;
        this.engine = engine;
        this.locks = new LockTable(scheduler, limits.maxWaitersPerKey());
        this.open = new OpenTransactions(scheduler, limits);
        this.snapshots = new Snapshots(scheduler, engine);
    }

    @Override
    public StoreTransaction begin(long epoch) {
        return new LockingTransaction(this, epoch);
    }

    @Override
    public CompletionStage<Void> fence(long epoch) {
        if (epoch <= 0) {
            return CompletableFuture.failedFuture(new IllegalArgumentException("no instance has the epoch " + epoch));
        }
        fenced.add(epoch);
        List<LockingTransaction> ending = open.matching(t -> t.epoch() == epoch);
        endAll(ending, deadEpoch(epoch));
        CompletableFuture<?>[] over =
                ending.stream().map(LockingTransaction::over).toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(over).thenCompose(ended -> removeInstance(epoch));
    }

    /** Condemns all transactions before releasing any locks, so that none acquires another's. */
    private static void endAll(List<LockingTransaction> transactions, FsException why) {
        List<LockingTransaction> condemned =
                transactions.stream().filter(t -> t.condemn(why)).toList();
        condemned.forEach(t -> t.free(why));
    }

    private CompletionStage<Void> removeInstance(long epoch) {
        Key row = Rows.instanceKey(epoch);
        StoreTransaction transaction = begin(0);
        return transaction.read(List.of(Read.exclusive(row)), 0).thenCompose(rows -> {
            List<Mutation> changes = rows.get(0) == null
                    ? List.of()
                    : List.of(new Mutation.Delete(row), new Mutation.Delete(Rows.epochKey(epoch)));
            return transaction.commit(changes, Long.MAX_VALUE);
        });
    }

    @Override
    public CompletionStage<String> openSnapshot() {
        return snapshots.open();
    }

    @Override
    public CompletionStage<List<Row>> scanSnapshot(SnapshotScan scan) {
        return snapshots.page(scan);
    }

    @Override
    public CompletionStage<RowSum> sumSnapshot(SnapshotScan scan, int most) {
        return snapshots.sum(scan, most);
    }

    @Override
    public CompletionStage<Void> closeSnapshot(String snapshot) {
        return snapshots.close(snapshot);
    }

    /** Returns the number of transactions that have made a call and not ended. */
    public int openTransactions() {
        return open.size();
    }

    public LockTable.Statistics lockStatistics() {
        return locks.statistics();
    }

    @Override
    public void close() {
        closed = true;
        endAll(open.matching(t -> true), FsException.unavailable("the store is closing; try again later"));
        snapshots.close();
        engine.close();
    }

    Scheduler scheduler() {
        return scheduler;
    }

    StoreLimits limits() {
        return limits;
    }

    RowEngine engine() {
        return engine;
    }

    LockTable locks() {
        return locks;
    }

    /** Registers a transaction at its first call, or throws the reason for refusing it. */
    void admit(LockingTransaction transaction) {
        if (!open.add(transaction)) {
            throw FsException.unavailable(
                    "the store has " + limits.maxTransactions() + " open transactions already; try again later");
        }
        // Checked after registering: a fence that misses this transaction has already marked its epoch.
        if (closed) {
            throw FsException.unavailable("the store is closed");
        }
        if (fenced.contains(transaction.epoch())) {
            throw deadEpoch(transaction.epoch());
        }
    }

    void ended(LockingTransaction transaction) {
        open.remove(transaction);
    }

    private static FsException deadEpoch(long epoch) {
        return new FsException(ErrorCode.FENCED, "the instance's epoch " + epoch + " is dead; join again");
    }
}
