package io.lambdafs.store.format;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Loop;
import io.lambdafs.store.Key;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import io.lambdafs.store.SnapshotScan;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.Table;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Makes {@link Schema#DIRECTORY_TOTALS} exact while instances serve (PROTOCOL: T4): counts in a snapshot, and adds what
 * the totals of that moment lack. What is lacking does not depend on later writes, only on directories that are moved
 * or removed: then it counts again. After a crash it may be repeated, because a new snapshot contains what was added.
 * Single use.
 */
public final class TotalsRepair {
    private static final int BATCH = 1_000;
    private static final int MOST_ROUNDS = 20;

    private final MetadataStore store;
    private final Row own = TotalsState.countedBy(UUID.randomUUID().toString());
    private final AtomicInteger rounds = new AtomicInteger();

    private TotalsRepair(MetadataStore store) {
        this.store = store;
    }

    /** Recounts all totals, and mends those that are wrong; changes nothing if none is. Requires {@link FormatLevel#TOTALS}. */
    public static CompletionStage<Void> run(MetadataStore store) {
        TotalsRepair repair = new TotalsRepair(store);
        return repair.count()
                .thenCompose(found -> found.isExact && found.changes.isEmpty()
                        ? CompletableFuture.completedFuture(null)
                        : repair.begin().thenCompose(done -> Loop.whileTrue(repair::round)));
    }

    /** The findings of a snapshot. */
    private static final class Found {
        final TotalsRecount recount = new TotalsRecount();
        final Deque<Mutation> changes = new ArrayDeque<>();
        boolean isExact;
        long moves;

        void add(Row row) {
            if (row.key().equals(TotalsState.KEY)) {
                isExact = TotalsState.isExact(row);
            } else if (row.key().equals(TotalsState.MOVES)) {
                moves = row.int64(0);
            } else if (row.key().table().equals(Schema.INODES)) {
                recount.count(Rows.inode(row));
            } else if (row.key().table().equals(Schema.DIRECTORY_TOTALS)) {
                recount.stored(row);
            }
        }

        Found sum() {
            recount.missing().forEach((id, missing) -> changes.add(Rows.totalsChanged(id, missing)));
            recount.left().forEach(id -> changes.add(new Mutation.Delete(Rows.totalsKey(id))));
            return this;
        }
    }

    /** Says in the store that this repair counts, and no other. */
    private CompletionStage<Void> begin() {
        return commit(rows -> List.of(new Mutation.Put(own)));
    }

    /** Counts once, and adds what is lacking; completes with whether to count again. */
    private CompletionStage<Boolean> round() {
        if (rounds.incrementAndGet() > MOST_ROUNDS) {
            throw new FsException(
                    ErrorCode.NOT_ALLOWED,
                    "directories are moved or removed faster than the totals are counted: repeat it in safe mode");
        }
        return count().thenCompose(
                        found -> Loop.whileTrue(() -> add(found.changes)).thenCompose(done -> end(found.moves)));
    }

    private CompletionStage<Boolean> add(Deque<Mutation> left) {
        List<Mutation> batch = new ArrayList<>();
        while (!left.isEmpty() && batch.size() < BATCH) {
            batch.add(left.remove());
        }
        return batch.isEmpty()
                ? CompletableFuture.completedFuture(false)
                : commit(rows -> {
                            checkOwn(rows);
                            return batch;
                        })
                        .thenApply(done -> !left.isEmpty());
    }

    /** Calls the totals exact, unless a directory was moved since the snapshot. */
    private CompletionStage<Boolean> end(long movesBefore) {
        AtomicBoolean again = new AtomicBoolean();
        return commit(rows -> {
                    checkOwn(rows);
                    Row now = rows.get(1);
                    again.set((now == null ? 0 : now.int64(0)) != movesBefore);
                    return again.get() ? List.of() : List.of(new Mutation.Put(TotalsState.EXACT));
                })
                .thenApply(done -> again.get());
    }

    private void checkOwn(List<@Nullable Row> rows) {
        Row state = rows.get(0);
        if (state == null || !state.equals(own)) {
            throw new FsException(ErrorCode.NOT_ALLOWED, "the totals are being counted by somebody else");
        }
    }

    /** Decides what to commit, by the state and the number of moves. */
    private interface Changes {
        List<Mutation> of(List<@Nullable Row> rows);
    }

    private CompletionStage<Void> commit(Changes changes) {
        StoreTransaction transaction = store.begin(0);
        return transaction
                .read(List.of(Read.exclusive(TotalsState.KEY), Read.unlocked(TotalsState.MOVES)), 0)
                .thenCompose(rows -> transaction.commit(changes.of(rows), Long.MAX_VALUE))
                .whenComplete((done, failure) -> transaction.abort());
    }

    private CompletionStage<Found> count() {
        Found found = new Found();
        return store.openSnapshot()
                .thenCompose(snapshot -> read(snapshot, Schema.SETTINGS, found)
                        .thenCompose(done -> read(snapshot, Schema.SEQUENCES, found))
                        .thenCompose(done -> read(snapshot, Schema.INODES, found))
                        .thenCompose(done -> read(snapshot, Schema.DIRECTORY_TOTALS, found))
                        .whenComplete((done, failure) -> store.closeSnapshot(snapshot)))
                .thenApply(done -> found.sum());
    }

    private CompletionStage<Void> read(String snapshot, Table table, Found found) {
        return new Pass(snapshot, table, found).read();
    }

    /** Reads a table page by page; its steps run in sequence. */
    private final class Pass {
        private final String snapshot;
        private final Table table;
        private final Found found;
        private @Nullable Key last;

        Pass(String snapshot, Table table, Found found) {
            this.snapshot = snapshot;
            this.table = table;
            this.found = found;
        }

        CompletionStage<Void> read() {
            return Loop.whileTrue(() -> store.scanSnapshot(new SnapshotScan(snapshot, table, last))
                    .thenApply(page -> {
                        page.forEach(found::add);
                        last = page.isEmpty() ? last : page.get(page.size() - 1).key();
                        return !page.isEmpty();
                    }));
        }
    }
}
