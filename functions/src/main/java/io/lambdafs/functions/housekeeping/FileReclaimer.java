package io.lambdafs.functions.housekeeping;

import io.lambdafs.functions.namenode.block.BlockPlaces;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Loop;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.store.Key;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.block.StoredBlock;
import io.lambdafs.store.snapshot.HeldFile;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Moves the blocks of detached files to the list of invalid objects, so that the servers of their block store delete
 * the objects once no block row references them. Each batch is one transaction under the exclusive lock of the file's
 * entry; after a crash between batches the next run continues. Thread-safe.
 */
final class FileReclaimer {
    private static final long LOCK_WAIT_NANOS = 1_000_000L;
    private static final int FILES_PER_LOOK = 1_000;

    private final MetadataStore store;
    private final Scheduler scheduler;
    private final int batch;

    /** @param batch blocks per transaction */
    FileReclaimer(MetadataStore store, Scheduler scheduler, int batch) {
        this.store = store;
        this.scheduler = scheduler;
        this.batch = batch;
    }

    /** Processes all detached files except those another instance is working on. */
    CompletionStage<Void> run(long epoch) {
        StoreTransaction look = store.begin(epoch);
        return look.scan(new Scan(Schema.DETACHED_FILES, 0L, null, FILES_PER_LOOK))
                .whenComplete((found, error) -> look.abort())
                .thenCompose(found -> {
                    Deque<Row> files = new ArrayDeque<>(found);
                    return Loop.whileTrue(() -> next(epoch, files));
                });
    }

    private CompletionStage<Boolean> next(long epoch, Deque<Row> files) {
        Row file = files.peek();
        if (file == null) {
            return CompletableFuture.completedFuture(false);
        }
        return batch(epoch, file.key())
                .exceptionallyCompose(error -> FsException.of(error).code() == ErrorCode.STORE_CONFLICT
                        ? CompletableFuture.completedFuture(false)
                        : CompletableFuture.failedFuture(error))
                .thenApply(more -> {
                    if (!more) {
                        files.remove();
                    }
                    return true;
                });
    }

    /** Processes a batch; completes with whether the file has more blocks. */
    private CompletionStage<Boolean> batch(long epoch, Key file) {
        long inodeId = file.int64(1);
        StoreTransaction transaction = store.begin(epoch);
        return transaction
                .read(
                        List.of(
                                Read.shared(Rows.instanceKey(epoch)),
                                Read.exclusive(file),
                                Read.exclusive(HeldFile.key(inodeId))),
                        LOCK_WAIT_NANOS)
                .thenCompose(rows -> {
                    if (rows.get(0) == null || rows.get(1) == null) {
                        return CompletableFuture.completedFuture(false);
                    }
                    HeldFile held = HeldFile.of(rows.get(2));
                    return held.versions() > 0
                            ? leave(transaction, file, held)
                            : transaction
                                    .scan(new Scan(Schema.BLOCKS, inodeId, null, batch))
                                    .thenCompose(blocks -> remove(transaction, file, blocks));
                })
                .whenComplete((more, error) -> transaction.abort());
    }

    /** Leaves a file to whoever removes the last version that holds its content (PROTOCOL: V5). */
    private static CompletionStage<Boolean> leave(StoreTransaction transaction, Key file, HeldFile held) {
        long inodeId = file.int64(1);
        return transaction
                .commit(
                        List.of(
                                new Mutation.Delete(file),
                                new Mutation.Put(new HeldFile(held.versions(), true).row(inodeId))),
                        Long.MAX_VALUE)
                .thenApply(done -> false);
    }

    private CompletionStage<Boolean> remove(StoreTransaction transaction, Key file, List<Row> blocks) {
        long deletable = BlockPlaces.deletableMillis(scheduler.currentTimeMillis());
        boolean more = blocks.size() == batch;
        List<Mutation> mutations = new ArrayList<>();
        for (Row row : blocks) {
            mutations.add(new Mutation.Delete(row.key()));
            mutations.add(new Mutation.Put(StoredBlock.of(row).invalid(deletable)));
        }
        if (!more) {
            mutations.add(new Mutation.Delete(file));
            mutations.add(new Mutation.Delete(Rows.contentKey(file.int64(1))));
            mutations.add(new Mutation.Delete(HeldFile.key(file.int64(1))));
        }
        return transaction.commit(mutations, Long.MAX_VALUE).thenApply(done -> more);
    }
}
