package io.lambdafs.datanode;

import io.lambdafs.model.inode.StoragePolicies;
import io.lambdafs.store.Key;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The name by which block stores know their cluster: random, and kept in its metadata store. Stateless. */
public final class ClusterId {
    /** The setting that holds it. */
    public static final Key KEY = Schema.SETTINGS.key("cluster");

    private ClusterId() {}

    /** Finds it among a store's rows; empty if no process has created it yet. */
    public static Optional<String> in(Iterable<Row> rows) {
        for (Row row : rows) {
            if (row.key().equals(KEY)) {
                return Optional.of(row.string(0));
            }
        }
        return Optional.empty();
    }

    /** Returns the owner's mark in a block store: the cluster, and the store's name if it has one. */
    public static String owner(String cluster, String blockStore) {
        return StoragePolicies.isNamed(blockStore) ? cluster + " " + blockStore : cluster;
    }

    /** Reads it; the first reader creates it. */
    public static CompletionStage<String> of(MetadataStore store) {
        StoreTransaction transaction = store.begin(0);
        return transaction
                .read(List.of(Read.exclusive(KEY)), 0)
                .thenCompose(rows -> {
                    Row found = rows.get(0);
                    if (found != null) {
                        return CompletableFuture.completedFuture(found.string(0));
                    }
                    String made = UUID.randomUUID().toString();
                    return transaction
                            .commit(List.of(new Mutation.Put(new Row(KEY, made))), Long.MAX_VALUE)
                            .thenApply(done -> made);
                })
                .whenComplete((id, failure) -> transaction.abort());
    }
}
