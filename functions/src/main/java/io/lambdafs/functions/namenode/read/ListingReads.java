package io.lambdafs.functions.namenode.read;

import io.lambdafs.functions.listing.PageSlice;
import io.lambdafs.functions.namenode.transaction.Call;
import io.lambdafs.functions.namenode.transaction.Restart;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Reads pages of a directory from the store, without locks and without caching. A page reflects one moment, although a
 * child directory's time and count are in a different row from its name: it is reread after the counts until it is
 * unchanged. Thread-safe.
 */
final class ListingReads {
    private static final int OPTIMISTIC_TRIES = 5;

    private final MetadataStore store;

    ListingReads(MetadataStore store) {
        this.store = store;
    }

    CompletionStage<Reply> page(Call call, ReadOperation.ListPage operation, INode directory) {
        StoreTransaction transaction = call.begin(store);
        return scanPage(transaction, operation, directory.id())
                .thenCompose(rows -> settled(transaction, operation, directory.id(), rows, 1))
                .whenComplete((reply, error) -> transaction.abort());
    }

    private CompletionStage<Reply> settled(
            StoreTransaction transaction, ReadOperation.ListPage operation, long directory, List<Row> rows, int tries) {
        PageSlice slice = PageSlice.of(rows, operation);
        List<Read> stats = slice.stats();
        if (stats.isEmpty()) {
            return CompletableFuture.completedFuture(slice.page(List.of()));
        }
        return transaction
                .read(stats, 0)
                .thenApply(slice::page)
                .thenCompose(reply -> scanPage(transaction, operation, directory)
                        .thenCompose(again -> {
                            if (again.equals(rows)) {
                                return CompletableFuture.completedFuture(reply);
                            }
                            if (tries == OPTIMISTIC_TRIES) {
                                return CompletableFuture.failedFuture(Restart.changed("the directory"));
                            }
                            return settled(transaction, operation, directory, again, tries + 1);
                        }));
    }

    private static CompletionStage<List<Row>> scanPage(
            StoreTransaction transaction, ReadOperation.ListPage operation, long directory) {
        String after = operation.startAfter().isEmpty() ? null : operation.startAfter();
        return transaction.scan(new Scan(Schema.INODES, directory, after, operation.limit() + 1));
    }
}
