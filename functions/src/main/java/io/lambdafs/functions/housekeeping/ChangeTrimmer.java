package io.lambdafs.functions.housekeeping;

import io.lambdafs.model.time.Chore;
import io.lambdafs.model.time.Loop;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.store.ChangeLog;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Trims the change log to the configured number of entries (PROTOCOL: C4). Each transaction removes a batch of the
 * oldest entries and records the trimmed position. Thread-safe.
 */
public final class ChangeTrimmer implements Housekeeper {
    private static final long PERIOD_NANOS = Duration.ofSeconds(10).toNanos();
    private static final int BATCH = 1_000;

    private final MetadataStore store;
    private final LongSupplier epoch;
    private final int entries;
    private final Chore chore;

    /**
     * Creates a trimmer that is not started.
     *
     * @param epoch of this instance while it is the leader for chores; 0 otherwise, when nothing is done
     * @param entries to keep; 0 if there is no change log, when nothing is done
     */
    public ChangeTrimmer(MetadataStore store, Scheduler scheduler, LongSupplier epoch, int entries) {
        this.store = store;
        this.epoch = epoch;
        this.entries = entries;
        this.chore = Chore.every(PERIOD_NANOS, scheduler, this::run);
    }

    /** Starts trimming, every ten seconds after an initial delay of ten. */
    @Override
    public void start() {
        if (entries > 0) {
            chore.start();
        }
    }

    @Override
    public void close() {
        chore.close();
    }

    /** Trims once; completes when done. Failures are left to the next run. */
    public CompletionStage<Void> run() {
        return Loop.whileTrue(this::removeBatch);
    }

    /** Removes a batch; completes with whether there may be more. */
    private CompletionStage<Boolean> removeBatch() {
        long current = epoch.getAsLong();
        if (chore.isClosed() || current == 0) {
            return CompletableFuture.completedFuture(false);
        }
        StoreTransaction transaction = store.begin(current);
        return transaction
                .read(
                        List.of(
                                Read.shared(Rows.instanceKey(current)),
                                Read.exclusive(ChangeLog.TRIMMED),
                                Read.unlocked(ChangeLog.NEXT)),
                        0)
                .thenCompose(rows -> removeBatch(transaction, rows))
                .whenComplete((more, error) -> transaction.abort());
    }

    private CompletionStage<Boolean> removeBatch(StoreTransaction transaction, List<@Nullable Row> rows) {
        Row removed = rows.get(1);
        long trimmed = removed == null ? ChangeLog.START : removed.int64(0);
        long last = ChangeLog.position(rows.get(2)) - 1 - entries;
        if (rows.get(0) == null || last <= trimmed) {
            return CompletableFuture.completedFuture(false);
        }
        return transaction.scan(new Scan(Schema.CHANGES, 0L, trimmed, BATCH)).thenCompose(old -> {
            List<Mutation> mutations = new ArrayList<>(old.size() + 1);
            long to = old.size() < BATCH ? last : Math.min(last, position(old.get(old.size() - 1)));
            old.stream()
                    .filter(entry -> position(entry) <= to)
                    .forEach(entry -> mutations.add(new Mutation.Delete(entry.key())));
            mutations.add(new Mutation.Put(new Row(ChangeLog.TRIMMED, to)));
            return transaction.commit(mutations, Long.MAX_VALUE).thenApply(done -> to < last);
        });
    }

    private static long position(Row entry) {
        return entry.key().int64(1);
    }
}
