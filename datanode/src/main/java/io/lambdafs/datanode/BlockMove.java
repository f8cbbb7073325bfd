package io.lambdafs.datanode;

import io.lambdafs.datanode.block.BlockSink;
import io.lambdafs.datanode.block.BlockSource;
import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.ObjectKey;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.block.StoredBlock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves written blocks to another block store while files are read and written. For each block, it lists the new object
 * as invalid, far in the future, so that it is named before its first byte and deleted if no run finishes the move; it
 * copies the bytes, checks each, and reads them back; and in one transaction, in which the block must still be the one
 * that was copied, it points the block's row to the new place, and lists the old object as invalid in place of the new
 * one. Readers of the old object have two token lives to finish. May be interrupted and repeated at any step, and run
 * twice at once. Blocks; for one thread.
 */
public final class BlockMove {
    /** The time after which an unfinished copy may be deleted. */
    static final long CLAIM_MILLIS = TimeUnit.HOURS.toMillis(24);
    /** The maximum duration of a copy: far shorter than the claim, because clocks differ. */
    static final long LONGEST_COPY_NANOS = TimeUnit.HOURS.toNanos(1);

    private static final Logger LOG = LoggerFactory.getLogger(BlockMove.class);
    private static final int PIECE = 1 << 20;
    private static final int PAGE = 1_000;
    private static final long ANSWER_SECONDS = 30;

    private final MetadataStore metadata;
    private final Map<String, BlockStore> stores;
    private final Scheduler scheduler;
    private final long keptMillis;
    private Report report = new Report(0, 0, 0, 0);

    /**
     * The progress so far.
     *
     * @param moved blocks moved; no others were elsewhere, except those counted below
     * @param changed blocks deleted or changed during the copy: they stay as they are, and the next run checks them
     *     again
     * @param failed blocks that could not be read or written, and stay in place
     */
    public record Report(long moved, long bytes, long changed, long failed) {}

    /**
     * @param stores block stores by their names in the metadata, with every store that holds a block to be moved
     * @param keptMillis how long a moved object stays for its readers
     */
    public BlockMove(MetadataStore metadata, Map<String, BlockStore> stores, Scheduler scheduler, long keptMillis) {
        this.metadata = metadata;
        this.stores = Map.copyOf(stores);
        this.scheduler = scheduler;
        this.keptMillis = keptMillis;
    }

    public Report report() {
        return report;
    }

    /**
     * Moves the written blocks of a file.
     *
     * @param target the name of a block store
     * @param dryRun whether to only count them
     * @throws FsException as the metadata store specifies
     */
    public void file(long inodeId, String target, boolean dryRun) {
        List<Row> page;
        @Nullable Object after = null;
        do {
            StoreTransaction look = metadata.begin(0);
            try {
                page = await(look.scan(new Scan(Schema.BLOCKS, inodeId, after, PAGE)));
            } finally {
                look.abort();
            }
            for (Row row : page) {
                StoredBlock block = StoredBlock.of(row);
                after = row.key().int64(1);
                if (block.state() == StoredBlock.State.WRITTEN && !block.store().equals(target)) {
                    move(block, target, dryRun);
                }
            }
        } while (page.size() == PAGE);
    }

    private void move(StoredBlock block, String target, boolean dryRun) {
        long bytes = block.block().length();
        if (dryRun) {
            report = new Report(report.moved + 1, report.bytes + bytes, report.changed, report.failed);
            return;
        }
        String key = ObjectKey.of(
                block.block().id(),
                block.block().generation(),
                scheduler.random().nextLong());
        boolean done;
        try {
            long began = scheduler.nanoTime();
            claim(target, key);
            copy(block, target, key);
            done = take(block, target, key, began);
        } catch (FsException e) {
            LOG.warn(
                    "{} of file {} stays in {}: {}",
                    block.block().label(),
                    block.inodeId(),
                    block.store(),
                    e.getMessage());
            report = new Report(report.moved, report.bytes, report.changed, report.failed + 1);
            return;
        }
        report = done
                ? new Report(report.moved + 1, report.bytes + bytes, report.changed, report.failed)
                : new Report(report.moved, report.bytes, report.changed + 1, report.failed);
    }

    /** Names the copy before its first byte, as an object to be deleted later. */
    private void claim(String target, String key) {
        Row row = new Row(Schema.INVALID_BLOCKS.key(target, key), scheduler.currentTimeMillis() + CLAIM_MILLIS);
        await(metadata.begin(0).commit(List.of(new Mutation.Put(row)), Long.MAX_VALUE));
    }

    private void copy(StoredBlock from, String target, String key) {
        Block block = from.block();
        BlockSource source = new BlockSource(store(from.store()));
        try (BlockSink sink = new BlockSink(block, store(target).upload(key))) {
            for (long at = 0; at < block.length(); at += PIECE) {
                byte[] piece = source.read(from.key(), block, at, (int) Math.min(PIECE, block.length() - at));
                sink.add(piece);
            }
            sink.finish(block.length(), block.crc32c());
        }
        BlockSource copy = new BlockSource(store(target));
        for (long at = 0; at < block.length(); at += PIECE) {
            copy.read(key, block, at, (int) Math.min(PIECE, block.length() - at));
        }
    }

    private BlockStore store(String name) {
        BlockStore found = stores.get(name);
        if (found == null) {
            throw FsException.invalidArgument("the cluster's settings have no block store \"" + name + "\"");
        }
        return found;
    }

    /** Gives the block its new place, unless it has changed since; returns whether it did. */
    private boolean take(StoredBlock block, String target, String key, long began) {
        Row claim = new Row(Schema.INVALID_BLOCKS.key(target, key), 0L);
        StoreTransaction transaction = metadata.begin(0);
        try {
            // Any process that takes away a file's blocks locks it in the list of detached files, or locks the blocks'
            // rows.
            List<@Nullable Row> rows = await(transaction.read(
                    List.of(
                            Read.shared(Schema.DETACHED_FILES.key(0L, block.inodeId())),
                            Read.exclusive(StoredBlock.key(block.inodeId(), block.index())),
                            Read.exclusive(claim.key())),
                    0));
            Row now = rows.get(1);
            if (rows.get(0) != null || now == null || rows.get(2) == null) {
                return false;
            }
            StoredBlock current = StoredBlock.of(now);
            if (!current.block().equals(block.block())
                    || !current.store().equals(block.store())
                    || !current.key().equals(block.key())
                    || scheduler.nanoTime() - began > LONGEST_COPY_NANOS) {
                return false;
            }
            await(transaction.commit(
                    List.of(
                            new Mutation.Put(current.at(target, key).row()),
                            new Mutation.Put(current.invalid(scheduler.currentTimeMillis() + keptMillis)),
                            new Mutation.Delete(claim.key())),
                    Long.MAX_VALUE));
            return true;
        } finally {
            transaction.abort();
        }
    }

    /** Waits for the stage's result; fails as the stage does. */
    public static <T> T await(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture()
                    .orTimeout(ANSWER_SECONDS, TimeUnit.SECONDS)
                    .join();
        } catch (CompletionException e) {
            throw FsException.of(e);
        }
    }
}
