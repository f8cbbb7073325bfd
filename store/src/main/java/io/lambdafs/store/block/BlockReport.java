package io.lambdafs.store.block;

import io.lambdafs.model.block.ObjectKey;
import io.lambdafs.store.Key;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Row;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * A datanode's report on one bucket of its block store: a row of {@link Schema#BLOCK_REPORTS}, readable by any instance
 * or command. Immutable.
 *
 * @param store name of the block store
 * @param bucket 0–255, of the keys ({@link ObjectKey#bucket})
 * @param found the objects of written blocks and those that nothing references
 * @param faults written blocks whose objects are missing or have another length or other bytes; the first of them have rows in {@link Schema#BLOCK_FAULTS}
 * @param orphans unreferenced objects, which were deleted
 * @param datanode that scanned the bucket, or is scanning it
 * @param beganMillis start of the scan by its clock; later than the end while a scan is running
 * @param endedMillis end of the last scan by its clock; 0 for never
 * @param scanned key of the last block read in full; empty if the next one is the first
 */
public record BlockReport(
        String store,
        int bucket,
        Contents found,
        long faults,
        long orphans,
        String datanode,
        long beganMillis,
        long endedMillis,
        String scanned) {
    /**
     * A digest of a set of objects: equal digests mean, almost certainly, the same keys and lengths.
     *
     * @param hash the sum of the hashes of their keys and lengths
     */
    public record Contents(long objects, long bytes, long hash) {
        public static final Contents NONE = new Contents(0, 0, 0);

        /** Returns the digest with one more object. */
        public Contents plus(String key, long length) {
            return new Contents(objects + 1, bytes + length, hash + hashOf(key, length));
        }

        private static long hashOf(String key, long length) {
            long mixed = length;
            for (int i = 0; i < key.length(); i++) {
                mixed = (mixed ^ key.charAt(i)) * 0x100000001B3L;
                mixed ^= mixed >>> 29;
            }
            mixed *= 0x94D049BB133111EBL;
            return mixed ^ mixed >>> 31;
        }
    }

    public static Key key(String store, int bucket) {
        return Schema.BLOCK_REPORTS.key(store, (long) bucket);
    }

    public static BlockReport of(Row row) {
        return new BlockReport(
                row.key().string(0),
                (int) row.key().int64(1),
                new Contents(row.int64(0), row.int64(1), row.int64(2)),
                row.int64(3),
                row.int64(4),
                row.string(5),
                row.int64(6),
                row.int64(7),
                row.string(8));
    }

    public Row row() {
        return new Row(
                key(store, bucket),
                found.objects(),
                found.bytes(),
                found.hash(),
                faults,
                orphans,
                datanode,
                beganMillis,
                endedMillis,
                scanned);
    }

    /** Returns the report as marked when a datanode begins another scan. */
    public BlockReport begun(String by, long nowMillis) {
        return new BlockReport(store, bucket, found, faults, orphans, by, nowMillis, endedMillis, scanned);
    }

    /** Lists all reports of a block store. */
    public static CompletionStage<List<BlockReport>> list(MetadataStore metadata, String store) {
        StoreTransaction transaction = metadata.begin(0);
        return transaction
                .scan(new Scan(Schema.BLOCK_REPORTS, store, null, ObjectKey.BUCKETS))
                .whenComplete((rows, failure) -> transaction.abort())
                .thenApply(rows -> rows.stream().map(BlockReport::of).toList());
    }
}
