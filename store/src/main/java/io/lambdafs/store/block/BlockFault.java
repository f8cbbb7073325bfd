package io.lambdafs.store.block;

import io.lambdafs.model.block.ObjectKey;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Row;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * A written block whose object is missing or damaged: a row of {@link Schema#BLOCK_FAULTS}. Immutable.
 *
 * @param store name of the block store that should have its object
 * @param key of the object
 * @param inodeId the file at the time the fault was found
 * @param index of the block in the file
 * @param why what is wrong, in words
 * @param foundMillis when it was last found, by that datanode's clock
 */
public record BlockFault(String store, String key, long inodeId, int index, String why, long foundMillis) {
    /** Maximum number of fault rows per bucket; the bucket's report counts all faults. */
    public static final int MOST_OF_A_BUCKET = 100;

    public static BlockFault of(Row row) {
        return new BlockFault(
                row.key().string(0),
                row.key().string(1),
                row.int64(0),
                (int) row.int64(1),
                row.string(2),
                row.int64(3));
    }

    public Row row() {
        return new Row(Schema.BLOCK_FAULTS.key(store, key), inodeId, (long) index, why, foundMillis);
    }

    /** Lists the faults of a bucket that have rows. */
    public static CompletionStage<List<BlockFault>> list(MetadataStore metadata, String store, int bucket) {
        String prefix = ObjectKey.prefix(bucket);
        StoreTransaction transaction = metadata.begin(0);
        return transaction
                .scan(new Scan(Schema.BLOCK_FAULTS, store, prefix, MOST_OF_A_BUCKET))
                .whenComplete((rows, failure) -> transaction.abort())
                .thenApply(rows -> rows.stream()
                        .map(BlockFault::of)
                        .filter(each -> each.key().startsWith(prefix))
                        .toList());
    }
}
