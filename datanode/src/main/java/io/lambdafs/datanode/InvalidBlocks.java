package io.lambdafs.datanode;

import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Chore;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.model.time.Stages;
import io.lambdafs.store.Key;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the objects that the metadata lists as invalid ({@link Schema#INVALID_BLOCKS}), a batch at a time: first the
 * objects, then their rows, so that a crash leaves rows whose objects are gone, which the next run finds. All datanodes
 * of a block store may do so at once. Thread-safe.
 */
final class InvalidBlocks implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(InvalidBlocks.class);
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final int BATCH = 64;
    private static final int PAGE = 1_000;

    private final MetadataStore metadata;
    private final BlockStore blocks;
    private final String blockStore;
    private final Scheduler scheduler;
    private final Chore chore;

    /** @param scheduler whose pool may block */
    InvalidBlocks(MetadataStore metadata, BlockStore blocks, String blockStore, Scheduler scheduler) {
        this.metadata = metadata;
        this.blocks = blocks;
        this.blockStore = blockStore;
        this.scheduler = scheduler;
        this.chore = Chore.everyAndABit(PERIOD_NANOS, scheduler, this::runAndTell);
    }

    /** Starts checking for invalid blocks, every five seconds and a bit. */
    void start() {
        chore.start();
    }

    private CompletionStage<Integer> runAndTell() {
        return Stages.call(this::run).whenComplete((count, failure) -> {
            if (failure != null && !chore.isClosed()) {
                LOG.warn(
                        "objects that no file needs are deleted later: {}",
                        FsException.of(failure).getMessage());
            } else if (failure == null && count > 0) {
                LOG.info("{} objects that no file needs are deleted", count);
            }
        });
    }

    /** Deletes all that are due, page by page; completes with their number. */
    CompletionStage<Integer> run() {
        return page(null, 0);
    }

    private CompletionStage<Integer> page(@Nullable String after, int before) {
        StoreTransaction transaction = metadata.begin(0);
        return transaction
                .scan(new Scan(Schema.INVALID_BLOCKS, blockStore, after, PAGE))
                .whenComplete((rows, failure) -> transaction.abort())
                .thenCompose(rows -> {
                    long now = scheduler.currentTimeMillis();
                    List<Key> due = rows.stream()
                            .filter(row -> row.int64(0) <= now)
                            .map(Row::key)
                            .toList();
                    CompletionStage<Integer> deleted = delete(due, 0, before);
                    return rows.size() < PAGE
                            ? deleted
                            : deleted.thenCompose(
                                    count -> page(rows.get(PAGE - 1).key().string(1), count));
                });
    }

    private CompletionStage<Integer> delete(List<Key> due, int from, int before) {
        if (from >= due.size() || chore.isClosed()) {
            return CompletableFuture.completedFuture(before);
        }
        List<Key> batch = due.subList(from, Math.min(due.size(), from + BATCH));
        return CompletableFuture.supplyAsync(() -> deleteObjects(batch), scheduler)
                .thenCompose(keys -> forget(keys).thenApply(done -> before + keys.size()))
                .thenCompose(count -> delete(due, from + BATCH, count));
    }

    /** An object that cannot be deleted now does not hold up the others. */
    private List<Key> deleteObjects(List<Key> batch) {
        List<Key> gone = new ArrayList<>();
        FsException last = null;
        for (Key key : batch) {
            try {
                blocks.delete(key.string(1));
                gone.add(key);
            } catch (FsException e) {
                last = e;
            }
        }
        if (last != null) {
            LOG.warn(
                    "{} objects could not be deleted, and are tried again later: {}",
                    batch.size() - gone.size(),
                    last.getMessage());
        }
        return gone;
    }

    private CompletionStage<Void> forget(List<Key> keys) {
        if (keys.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        StoreTransaction transaction = metadata.begin(0);
        List<Mutation> removed =
                keys.stream().<Mutation>map(Mutation.Delete::new).toList();
        return transaction
                .read(keys.stream().map(Read::exclusive).toList(), 0)
                .thenCompose(rows -> transaction.commit(removed, Long.MAX_VALUE))
                .whenComplete((done, failure) -> transaction.abort());
    }

    @Override
    public void close() {
        chore.close();
    }
}
