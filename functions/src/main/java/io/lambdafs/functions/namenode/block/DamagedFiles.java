package io.lambdafs.functions.namenode.block;

import io.lambdafs.functions.namenode.transaction.Call;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Row;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.block.BlockFault;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads which files have damaged blocks from the rows that datanodes write when they report (FILES: F22): a page of one
 * block store after the other. Thread-safe.
 */
public final class DamagedFiles {
    public static final int PAGE = 1_000;
    /** Between a block store's name and the key of an object in it, in what a reply ends with. */
    private static final char BETWEEN = '\n';

    private final MetadataStore store;
    private final Supplier<CompletionStage<List<String>>> blockStores;

    /** @param blockStores their names, sorted */
    public DamagedFiles(MetadataStore store, Supplier<CompletionStage<List<String>>> blockStores) {
        this.store = store;
        this.blockStores = blockStores;
    }

    /** @param last what the previous reply ends with; empty for the first */
    public CompletionStage<Reply> after(Call call, String last) {
        int end = last.indexOf(BETWEEN);
        String name = end < 0 ? last : last.substring(0, end);
        return blockStores.get().thenCompose(all -> {
            List<String> left =
                    all.stream().filter(each -> each.compareTo(name) >= 0).toList();
            if (left.isEmpty()) {
                return CompletableFuture.completedFuture(new Reply.Damaged(List.of(), ""));
            }
            String first = left.get(0);
            String key = end >= 0 && first.equals(name) ? last.substring(end + 1) : null;
            return page(call, first, key).thenApply(rows -> {
                List<Long> files =
                        rows.stream().map(row -> BlockFault.of(row).inodeId()).toList();
                if (rows.size() == PAGE) {
                    return new Reply.Damaged(
                            files, first + BETWEEN + rows.get(PAGE - 1).key().string(1));
                }
                return new Reply.Damaged(files, left.size() == 1 ? "" : left.get(1));
            });
        });
    }

    private CompletionStage<List<Row>> page(Call call, String blockStore, @Nullable String after) {
        StoreTransaction transaction = call.begin(store);
        return transaction
                .scan(new Scan(Schema.BLOCK_FAULTS, blockStore, after, PAGE))
                .whenComplete((rows, failure) -> transaction.abort());
    }
}
