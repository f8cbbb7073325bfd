package io.lambdafs.coordinator.session;

import io.lambdafs.coordinator.InstanceIdentity;
import io.lambdafs.model.Scheduler;
import io.lambdafs.store.ConfirmedLeases;
import io.lambdafs.store.FormatLevel;
import io.lambdafs.store.Key;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Takes fresh epochs from the store: the number, its row of {@link Schema#INSTANCES} and its place in the list of {@link
 * Schema#EPOCHS} in one transaction, so that an epoch exists exactly when its rows do. Thread-safe.
 */
final class Epochs {
    private static final String SEQUENCE = "epoch";
    private static final Key NEXT = Schema.SEQUENCES.key(SEQUENCE);

    private final MetadataStore store;
    private final Scheduler scheduler;

    Epochs(MetadataStore store, Scheduler scheduler) {
        this.store = store;
        this.scheduler = scheduler;
    }

    /**
     * A fresh epoch.
     *
     * @param confirmed whether its lease counts only as far as the store confirms it (PROTOCOL: D7)
     */
    record Taken(long epoch, boolean confirmed) {}

    /**
     * Takes the next epoch, and says which levels of the store's format this build reads; refuses to serve a store of a newer one.
     *
     * @return the epoch; fails as a {@link StoreTransaction} does. Where it fails and the outcome stays unknown the row may exist, but
     *     nobody may act on that: the number may as well have become another instance's
     */
    CompletionStage<Taken> take(InstanceIdentity self) {
        StoreTransaction transaction = store.begin(0);
        return transaction
                .read(
                        List.of(Read.exclusive(NEXT), Read.shared(FormatLevel.KEY), Read.unlocked(ConfirmedLeases.KEY)),
                        0)
                .thenCompose(rows -> {
                    FormatLevel.of(rows.get(1));
                    long epoch = next(rows);
                    Taken taken = new Taken(epoch, rows.get(2) != null);
                    return transaction.commit(rows(epoch, self), Long.MAX_VALUE).thenApply(done -> taken);
                })
                .whenComplete((taken, failure) -> {
                    if (failure != null) {
                        transaction.abort();
                    }
                });
    }

    private static long next(List<@Nullable Row> rows) {
        Row row = rows.get(0);
        return row == null ? 1 : row.int64(0);
    }

    private List<Mutation> rows(long epoch, InstanceIdentity self) {
        Row taken = new Row(NEXT, epoch + 1);
        Row live = new Row(
                Rows.instanceKey(epoch),
                (long) self.deployment(),
                self.instance(),
                scheduler.currentTimeMillis(),
                (long) FormatLevel.NEWEST.number());
        Row listed = new Row(Rows.epochKey(epoch), (long) self.deployment());
        return List.of(new Mutation.Put(taken), new Mutation.Put(live), new Mutation.Put(listed));
    }
}
