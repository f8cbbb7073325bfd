package io.lambdafs.coordinator.session;

import io.lambdafs.coordinator.InstanceIdentity;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.store.Key;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.format.FormatLevel;
import io.lambdafs.store.instance.ConfirmedLeases;
import io.lambdafs.store.instance.Deployments;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Takes new epochs from the store: the number and its rows in {@link Schema#INSTANCES} and {@link Schema#EPOCHS} in one
 * transaction, so that an epoch exists exactly when its rows do. Thread-safe.
 */
final class Epochs {
    private static final String SEQUENCE = "epoch";
    private static final Key NEXT = Schema.SEQUENCES.key(SEQUENCE);
    /** The placement of an unformatted store, where every request is refused as such. */
    private static final Placement UNFORMATTED = new Placement(Placement.MAX_DEPLOYMENTS);

    private final MetadataStore store;
    private final Scheduler scheduler;

    Epochs(MetadataStore store, Scheduler scheduler) {
        this.store = store;
        this.scheduler = scheduler;
    }

    /**
     * An epoch, or its refusal.
     *
     * @param epoch 0 if the file system does not have that deployment
     * @param placement under which it was taken or refused
     * @param confirmed whether its lease must be confirmed by the store (PROTOCOL: D7)
     */
    record Taken(long epoch, Placement placement, boolean confirmed) {}

    /**
     * Takes the next epoch (PROTOCOL: G1) and records which format levels this build reads; refuses a store with a
     * newer level.
     *
     * @return the epoch; fails as a {@link StoreTransaction} does. If the outcome is unknown the row may exist, but
     *     must not be used: the number may equally belong to another instance
     */
    CompletionStage<Taken> take(InstanceIdentity self) {
        StoreTransaction transaction = store.begin(0);
        List<Read> reads = new ArrayList<>(List.of(Read.exclusive(NEXT), Read.shared(FormatLevel.KEY)));
        reads.addAll(Deployments.shared());
        reads.add(Read.unlocked(ConfirmedLeases.KEY));
        return transaction
                .read(reads, 0)
                .thenCompose(rows -> {
                    FormatLevel.of(rows.get(1));
                    Placement placement =
                            Deployments.of(rows.get(2), rows.get(3)).orElse(UNFORMATTED);
                    if (self.deployment() < 0 || self.deployment() >= placement.deployments()) {
                        transaction.abort();
                        return CompletableFuture.completedFuture(new Taken(0, placement, false));
                    }
                    long epoch = next(rows);
                    return transaction
                            .commit(rows(epoch, self, placement), Long.MAX_VALUE)
                            .thenApply(done -> new Taken(epoch, placement, rows.get(4) != null));
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

    private List<Mutation> rows(long epoch, InstanceIdentity self, Placement placement) {
        Row taken = new Row(NEXT, epoch + 1);
        Row live = new Row(
                Rows.instanceKey(epoch),
                (long) self.deployment(),
                self.instance(),
                scheduler.currentTimeMillis(),
                (long) FormatLevel.NEWEST.number());
        Row listed = new Row(Rows.epochKey(epoch), (long) self.deployment(), (long) placement.generation());
        return List.of(new Mutation.Put(taken), new Mutation.Put(live), new Mutation.Put(listed));
    }
}
