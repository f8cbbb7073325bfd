package io.lambdafs.functions.housekeeping;

import io.lambdafs.functions.namenode.block.DirectStores;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.store.Key;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes invalid objects in the object stores that clients access directly, as datanodes do in the others: first the
 * object, then its row, so a crash leaves at most a row without an object, which the next run removes. Two leaders do
 * no harm. Thread-safe.
 */
public final class ObjectSweeper implements Housekeeper {
    private static final Logger LOG = LoggerFactory.getLogger(ObjectSweeper.class);
    private static final Duration PERIOD = Duration.ofSeconds(30);

    private final MetadataStore store;
    private final Scheduler scheduler;
    private final DirectStores objects;
    private final List<LeaderSweep> sweeps;

    /** @param epoch of this instance while it is the leader for chores; 0 otherwise, when nothing is done */
    public ObjectSweeper(MetadataStore store, Scheduler scheduler, LongSupplier epoch, DirectStores objects) {
        this.store = store;
        this.scheduler = scheduler;
        this.objects = objects;
        this.sweeps = objects.names().stream()
                .map(name -> new LeaderSweep(
                        store, scheduler, epoch, PERIOD.toNanos(), Schema.INVALID_BLOCKS, name, this::sweep))
                .toList();
    }

    /** Starts sweeping; the first sweep is after half a minute. */
    @Override
    public void start() {
        sweeps.forEach(LeaderSweep::start);
    }

    @Override
    public void close() {
        sweeps.forEach(LeaderSweep::close);
    }

    /** Sweeps once; failures are left to the next run. */
    public CompletionStage<Void> run() {
        CompletionStage<Void> all = CompletableFuture.completedFuture(null);
        for (LeaderSweep each : sweeps) {
            all = all.thenCompose(done -> each.run());
        }
        return all;
    }

    private CompletionStage<Void> sweep(long current, Row invalid) {
        if (invalid.int64(0) > scheduler.currentTimeMillis()) {
            return CompletableFuture.completedFuture(null);
        }
        Key key = invalid.key();
        return objects.delete(key.string(0), key.string(1))
                .thenCompose(deleted -> forget(current, key))
                .exceptionally(thrown -> {
                    LOG.warn(
                            "an object that no file needs could not be deleted, and is tried again later: {}",
                            FsException.of(thrown).getMessage());
                    return null;
                });
    }

    private CompletionStage<Void> forget(long current, Key key) {
        StoreTransaction transaction = store.begin(current);
        return transaction
                .read(List.of(Read.shared(Rows.instanceKey(current)), Read.exclusive(key)), 0)
                .thenCompose(rows -> rows.get(0) == null
                        ? CompletableFuture.completedFuture(null)
                        : transaction.commit(List.of(new Mutation.Delete(key)), Long.MAX_VALUE))
                .whenComplete((done, failure) -> transaction.abort());
    }
}
