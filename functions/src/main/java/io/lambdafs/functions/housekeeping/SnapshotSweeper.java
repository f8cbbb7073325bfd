package io.lambdafs.functions.housekeeping;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Chore;
import io.lambdafs.model.time.Loop;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.snapshot.HeldFile;
import io.lambdafs.store.snapshot.Kept;
import io.lambdafs.store.snapshot.LiveSnapshots;
import io.lambdafs.store.snapshot.SnapshotNumber;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Removes the versions that no snapshot sees any more, batch by batch (PROTOCOL: V6). What a deleted snapshot has kept goes to the last
 * one before it that sees it, or is removed; a file that is gone, and whose content nothing holds any more, is left to the
 * reclaimer. Thread-safe.
 */
public final class SnapshotSweeper implements Housekeeper {
    private static final long PERIOD_NANOS = 5_000_000_000L;

    private final MetadataStore store;
    private final LongSupplier epoch;
    private final int batch;
    private final Chore chore;

    /** @param epoch of this instance while it is the leader for chores; 0 otherwise, when nothing is done */
    public SnapshotSweeper(MetadataStore store, Scheduler scheduler, LongSupplier epoch, int batch) {
        this.store = store;
        this.epoch = epoch;
        this.batch = batch;
        this.chore = Chore.every(PERIOD_NANOS, scheduler, this::run);
    }

    @Override
    public void start() {
        chore.start();
    }

    @Override
    public void close() {
        chore.close();
    }

    /** Sweeps once; completes when done. Failures are left to the next run. */
    public CompletionStage<Void> run() {
        long current = epoch.getAsLong();
        return current == 0
                ? CompletableFuture.completedFuture(null)
                : LiveSnapshots.read(store, current).thenCompose(live -> {
                    Deque<SnapshotNumber> left = new ArrayDeque<>(live.unswept());
                    return Loop.whileTrue(() -> next(current, live, left));
                });
    }

    private CompletionStage<Boolean> next(long current, LiveSnapshots live, Deque<SnapshotNumber> left) {
        SnapshotNumber number = left.peek();
        if (number == null || chore.isClosed()) {
            return CompletableFuture.completedFuture(false);
        }
        return batch(current, live, number).thenApply(more -> {
            if (!more) {
                left.remove();
            }
            return true;
        });
    }

    /** Looks through a batch; completes with whether there are more. */
    private CompletionStage<Boolean> batch(long current, LiveSnapshots live, SnapshotNumber number) {
        StoreTransaction transaction = store.begin(current);
        return transaction
                .scan(new Scan(Schema.KEPT, number.number(), null, batch))
                .thenCompose(rows -> {
                    List<Read> locks = new ArrayList<>();
                    locks.add(Read.shared(Rows.instanceKey(current)));
                    rows.forEach(row -> locks.add(Read.exclusive(row.key())));
                    rows.stream()
                            .map(row -> Kept.of(row).heldId())
                            .filter(id -> id != 0)
                            .distinct()
                            .forEach(id -> locks.add(Read.exclusive(HeldFile.key(id))));
                    return transaction.read(locks, 0).thenCompose(found -> {
                        if (found.get(0) == null) {
                            throw new FsException(ErrorCode.FENCED, "the epoch " + current + " is over");
                        }
                        boolean more = rows.size() == batch;
                        List<Mutation> mutations = new Batch(live, number, rows.size(), found).mutations();
                        if (!more) {
                            // What was added since it was read is looked through the next time.
                            mutations.add(SnapshotNumber.written(number.number(), -number.writes()));
                        }
                        return transaction.commit(mutations, Long.MAX_VALUE).thenApply(done -> more);
                    });
                })
                .whenComplete((more, error) -> transaction.abort());
    }

    /** One batch under its locks. */
    private static final class Batch {
        private final LiveSnapshots live;
        private final SnapshotNumber number;
        private final List<Mutation> mutations = new ArrayList<>();
        private final Map<Long, HeldFile> held = new TreeMap<>();
        private final Map<Long, Long> released = new TreeMap<>();

        /** @param found the epoch's row, then those of the entries, then those of the files that they hold */
        Batch(LiveSnapshots live, SnapshotNumber number, int entries, List<@Nullable Row> found) {
            this.live = live;
            this.number = number;
            for (Row row : found.subList(1 + entries, found.size())) {
                if (row != null) {
                    held.put(row.key().int64(0), HeldFile.of(row));
                }
            }
            for (Row row : found.subList(1, 1 + entries)) {
                if (row != null) {
                    sweep(row);
                }
            }
            released.forEach(this::release);
        }

        List<Mutation> mutations() {
            return mutations;
        }

        private void sweep(Row row) {
            Kept kept = Kept.of(row);
            mutations.add(new Mutation.Delete(row.key()));
            long last = live.last(kept.stamp(), Math.min(kept.number(), number.number()), kept.top());
            if (last > 0) {
                mutations.add(new Mutation.Put(kept.row(last)));
                mutations.add(SnapshotNumber.written(last, 1));
                return;
            }
            mutations.add(new Mutation.Delete(kept.target()));
            if (kept.heldId() != 0) {
                released.merge(kept.heldId(), 1L, Long::sum);
            }
        }

        /** Lets go of a file's content. A file that is gone gets no more versions, so what is counted here is final. */
        private void release(long fileId, long versions) {
            HeldFile file = held.getOrDefault(fileId, new HeldFile(0, false));
            if (file.isGone() && file.versions() == versions) {
                mutations.add(new Mutation.Delete(HeldFile.key(fileId)));
                mutations.add(new Mutation.Put(new Row(Schema.DETACHED_FILES.key(0L, fileId), 0L)));
            } else {
                mutations.add(HeldFile.more(fileId, -versions));
            }
        }
    }
}
