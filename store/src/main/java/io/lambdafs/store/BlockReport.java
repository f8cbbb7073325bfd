package io.lambdafs.store;

import io.lambdafs.model.ObjectKey;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * What a datanode has found in a bucket of its block store, as the row in {@link Schema#BLOCK_REPORTS} says. Any instance or command may read it. Immutable.
 *
 * @param store name of the block store
 * @param bucket 0–255, of the keys ({@link ObjectKey#bucket})
 * @param found the objects of written blocks and of what nothing names
 * @param faults written blocks whose objects are missing or have another length or other bytes; the first of them have rows in {@link Schema#BLOCK_FAULTS}
 * @param orphans objects that nothing named, and that were deleted
 * @param datanode that looked, or is looking
 * @param beganMillis by its clock, when it began; later than the end while it is at it
 * @param endedMillis by its clock, when it had looked; 0 for never
 * @param scanned key of the last block of which every byte was read; empty where the next one is the first
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
     * A set of objects: two that are equal have, as good as certainly, the same keys and lengths.
     *
     * @param hash the sum of the hashes of their keys and lengths
     */
    public record Contents(long objects, long bytes, long hash) {
        public static final Contents NONE = new Contents(0, 0, 0);

        /** With an object more. */
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

    /** The same while a datanode looks again. */
    public BlockReport begun(String by, long nowMillis) {
        return new BlockReport(store, bucket, found, faults, orphans, by, nowMillis, endedMillis, scanned);
    }

    /** All reports of a block store. */
    public static CompletionStage<List<BlockReport>> list(MetadataStore metadata, String store) {
        StoreTransaction transaction = metadata.begin(0);
        return transaction
                .scan(new Scan(Schema.BLOCK_REPORTS, store, null, ObjectKey.BUCKETS))
                .whenComplete((rows, failure) -> transaction.abort())
                .thenApply(rows -> rows.stream().map(BlockReport::of).toList());
    }
}
