package io.lambdafs.datanode;

import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.datanode.block.BlockStoreCheck;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.ObjectKey;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes objects and uploads that no row names. It lists them first, then reads the rows as of a later moment: an
 * attempt's row is committed before its first byte, and no other attempt has its key, so a listed object without a row
 * has lost it and gets none again. Clocks play no part. Works in independent batches, so that the next run continues an
 * interrupted one, and two at once delete the same objects. Single use, for one thread.
 */
public final class Orphans {
    /** The number of objects listed per reading of the rows. */
    static final int BATCH = 50_000;

    private static final Logger LOG = LoggerFactory.getLogger(Orphans.class);

    private final BlockStore store;
    private final UnaryOperator<Set<String>> named;
    private final boolean dryRun;
    private final int batch;
    private final String prefix;
    private long objects;
    private long bytes;
    private long orphans;
    private long orphanBytes;
    private long uploads;
    private long failed;

    private Orphans(BlockStore store, UnaryOperator<Set<String>> named, boolean dryRun, int batch, String prefix) {
        this.store = store;
        this.named = named;
        this.dryRun = dryRun;
        this.batch = batch;
        this.prefix = prefix;
    }

    /**
     * The result of a collection.
     *
     * @param objects all objects for blocks in the store
     * @param orphans those of them that no row names: deleted, unless it was a dry run
     * @param uploads unfinished ones that no row names: dropped, unless it was a dry run
     * @param failed those of both that the store did not delete now
     */
    public record Report(long objects, long bytes, long orphans, long orphanBytes, long uploads, long failed) {
        /** Adds the report on another block store. */
        public Report plus(Report other) {
            return new Report(
                    objects + other.objects,
                    bytes + other.bytes,
                    orphans + other.orphans,
                    orphanBytes + other.orphanBytes,
                    uploads + other.uploads,
                    failed + other.failed);
        }
    }

    /**
     * Goes through a block store once.
     *
     * @param cluster the cluster that the store must belong to
     * @param named returns those of some keys that are named by rows as of a moment after its call
     *     ({@link #named(Iterable, String, Set)})
     * @param dryRun whether to delete nothing
     * @throws FsException {@code INVALID_ARGUMENT}: it is another cluster's store; else as the stores specify
     */
    public static Report collect(BlockStore store, String cluster, UnaryOperator<Set<String>> named, boolean dryRun) {
        return collect(store, cluster, named, dryRun, BATCH);
    }

    static Report collect(
            BlockStore store, String cluster, UnaryOperator<Set<String>> named, boolean dryRun, int batch) {
        BlockStoreCheck.demandOwner(store, cluster);
        Orphans run = new Orphans(store, named, dryRun, batch, ObjectKey.BLOCKS);
        run.objects();
        run.uploads();
        return run.report();
    }

    /** Deletes the objects of a bucket that no row names. The store is the cluster's own. */
    static Report collectObjects(BlockStore store, UnaryOperator<Set<String>> named, int bucket) {
        Orphans run = new Orphans(store, named, false, BATCH, ObjectKey.prefix(bucket));
        run.objects();
        return run.report();
    }

    /** Drops the remains of uploads that no row names, in all buckets. The store is the cluster's own. */
    static Report collectUploads(BlockStore store, UnaryOperator<Set<String>> named) {
        Orphans run = new Orphans(store, named, false, BATCH, ObjectKey.BLOCKS);
        run.uploads();
        return run.report();
    }

    private Report report() {
        return new Report(objects, bytes, orphans, orphanBytes, uploads, failed);
    }

    /**
     * Returns those of some keys that rows name: as blocks of files, or as invalid ones, which datanodes delete when
     * they are due.
     */
    public static Set<String> named(Iterable<Row> rows, String blockStore, Set<String> keys) {
        Set<String> found = new HashSet<>();
        for (Row row : rows) {
            String key = null;
            if (row.key().table().equals(Schema.BLOCKS) && row.string(4).equals(blockStore)) {
                key = row.string(5);
            } else if (row.key().table().equals(Schema.INVALID_BLOCKS)
                    && row.key().string(0).equals(blockStore)) {
                key = row.key().string(1);
            }
            if (key != null && keys.contains(key)) {
                found.add(key);
            }
        }
        return found;
    }

    private void objects() {
        String after = "";
        List<BlockStore.StoredObject> page;
        do {
            page = store.list(prefix, after, batch);
            Map<String, Long> listed = new HashMap<>();
            for (BlockStore.StoredObject each : page) {
                listed.put(each.key(), each.length());
                bytes += each.length();
                after = each.key();
            }
            objects += page.size();
            for (String key : unnamed(listed.keySet())) {
                orphans++;
                orphanBytes += listed.getOrDefault(key, 0L);
                remove(key, () -> store.delete(key));
            }
        } while (page.size() == batch);
    }

    private void uploads() {
        String after = "";
        List<BlockStore.UnfinishedUpload> page = store.unfinished(prefix, after, batch);
        while (!page.isEmpty()) {
            Set<String> keys = new HashSet<>();
            for (BlockStore.UnfinishedUpload each : page) {
                keys.add(each.key());
                after = each.key();
            }
            Set<String> unnamed = new HashSet<>(unnamed(keys));
            for (BlockStore.UnfinishedUpload each : page) {
                if (unnamed.contains(each.key())) {
                    uploads++;
                    remove(each.key(), () -> store.drop(each));
                }
            }
            page = store.unfinished(prefix, after, batch);
        }
    }

    private List<String> unnamed(Set<String> listed) {
        if (listed.isEmpty()) {
            return List.of();
        }
        Set<String> kept = named.apply(listed);
        List<String> rest = new ArrayList<>();
        for (String key : listed) {
            if (!kept.contains(key)) {
                rest.add(key);
            }
        }
        return rest;
    }

    /** An object that cannot be deleted now does not hold up the others. */
    private void remove(String key, Runnable step) {
        if (dryRun) {
            return;
        }
        try {
            step.run();
        } catch (FsException e) {
            failed++;
            LOG.warn("{} could not be deleted; the next run tries again: {}", key, e.getMessage());
        }
    }
}
