package io.lambdafs.functions.housekeeping;

import io.lambdafs.model.time.Chore;
import io.lambdafs.model.time.Loop;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Row;
import io.lambdafs.store.Scan;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.Table;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Periodically visits every row of a table partition while this instance is the leader for chores: page by page, one
 * row at a time. Failures are left to the next run. Thread-safe.
 */
final class LeaderSweep {
    private static final int ROWS_PER_PAGE = 1_000;

    private final MetadataStore store;
    private final LongSupplier epoch;
    private final Table table;
    private final Object partition;
    private final Step step;
    private final Chore chore;

    /** The action on each row. */
    @FunctionalInterface
    interface Step {
        /** @param epoch of this instance, the leader */
        CompletionStage<Void> sweep(long epoch, Row row);
    }

    /** @param epoch of this instance while it is the leader for chores; 0 otherwise, when nothing is done */
    LeaderSweep(
            MetadataStore store, Scheduler scheduler, LongSupplier epoch, long periodNanos, Table table, Step step) {
        this(store, scheduler, epoch, periodNanos, table, 0L, step);
    }

    /** @param partition of the table */
    LeaderSweep(
            MetadataStore store,
            Scheduler scheduler,
            LongSupplier epoch,
            long periodNanos,
            Table table,
            Object partition,
            Step step) {
        this.store = store;
        this.epoch = epoch;
        this.table = table;
        this.partition = partition;
        this.step = step;
        this.chore = Chore.every(periodNanos, scheduler, this::run);
    }

    /** Starts sweeping; the first sweep is after one period. */
    void start() {
        chore.start();
    }

    void close() {
        chore.close();
    }

    /** Sweeps once; completes when done. */
    CompletionStage<Void> run() {
        long current = epoch.getAsLong();
        return current == 0 ? CompletableFuture.completedFuture(null) : new Run(current).begin();
    }

    private final class Run {
        private final long current;
        private final Deque<Row> page = new ArrayDeque<>();
        private @Nullable Object last;

        Run(long current) {
            this.current = current;
        }

        CompletionStage<Void> begin() {
            return Loop.whileTrue(() -> page.isEmpty() ? look() : sweep(page.remove()));
        }

        /** Visits a page; completes with whether there are more. */
        private CompletionStage<Boolean> look() {
            StoreTransaction look = store.begin(current);
            return look.scan(new Scan(table, partition, last, ROWS_PER_PAGE))
                    .whenComplete((rows, error) -> look.abort())
                    .thenApply(rows -> {
                        page.addAll(rows);
                        last = rows.isEmpty()
                                ? last
                                : rows.get(rows.size() - 1).key().part(1);
                        return !rows.isEmpty() && !chore.isClosed();
                    });
        }

        private CompletionStage<Boolean> sweep(Row row) {
            return chore.isClosed() || epoch.getAsLong() != current
                    ? CompletableFuture.completedFuture(false)
                    : step.sweep(current, row).thenApply(done -> true);
        }
    }
}
