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
                .read(List.of(Read.shared(Rows.instanceKey(epoch)), Read.exclusive(file)), LOCK_WAIT_NANOS)
                .thenCompose(rows -> rows.get(0) == null
                        ? CompletableFuture.completedFuture(false)
                        : transaction
                                .scan(new Scan(Schema.BLOCKS, inodeId, null, batch))
                                .thenCompose(blocks -> remove(transaction, file, blocks)))
                .whenComplete((more, error) -> transaction.abort());
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
        }
        return transaction.commit(mutations, Long.MAX_VALUE).thenApply(done -> more);
    }
}
