package io.lambdafs.functions.namenode;

import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.DirectoryStats;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.format.FormatLevel;
import io.lambdafs.store.format.TotalsState;
import io.lambdafs.store.instance.Deployments;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Formats a store: creates the root, the sequences and the number of deployments. Stateless. */
public final class Formatter {
    private Formatter() {}

    /**
     * Formats the store at the newest level if it is empty; leaves a formatted one as it is, whatever its level.
     *
     * @return completes with true if formatted now; fails with {@code INVALID_ARGUMENT} if the store was formatted with
     *     a different number of deployments, never changed since, and with {@code UNSUPPORTED} if its level is newer
     *     than this build
     */
    public static CompletionStage<Boolean> format(
            MetadataStore store, int deployments, String superuser, long nowMillis) {
        StoreTransaction transaction = store.begin(0);
        var count = Deployments.NUMBER;
        return transaction
                .read(
                        List.of(
                                Read.exclusive(FormatLevel.KEY),
                                Read.exclusive(count),
                                Read.shared(Deployments.GENERATION)),
                        0)
                .thenCompose(rows -> {
                    Row found = rows.get(0);
                    if (found != null) {
                        FormatLevel.of(found);
                        if (rows.get(2) == null) {
                            check(rows.get(1), deployments);
                        }
                        return CompletableFuture.completedFuture(false);
                    }
                    return transaction
                            .commit(
                                    List.of(
                                            new Mutation.Put(FormatLevel.NEWEST.row()),
                                            new Mutation.Put(TotalsState.EXACT),
                                            new Mutation.Put(new Row(count, Integer.toString(deployments))),
                                            new Mutation.Put(sequence("inode", INode.FIRST_FREE_ID)),
                                            new Mutation.Put(sequence("operation", 1)),
                                            new Mutation.Put(sequence("epoch", 1)),
                                            new Mutation.Put(Rows.of(INode.directory(
                                                    0,
                                                    "",
                                                    INode.ROOT_ID,
                                                    superuser,
                                                    Principal.SUPERGROUP,
                                                    0755,
                                                    nowMillis))),
                                            new Mutation.Put(
                                                    Rows.stats(INode.ROOT_ID, new DirectoryStats(0, nowMillis)))),
                                    Long.MAX_VALUE)
                            .thenApply(committed -> true);
                })
                .whenComplete((done, error) -> transaction.abort());
    }

    private static Row sequence(String name, long first) {
        return new Row(Schema.SEQUENCES.key(name), first);
    }

    private static void check(@Nullable Row count, int deployments) {
        if (count == null || !count.string(0).equals(Integer.toString(deployments))) {
            throw FsException.invalidArgument("the store was formatted for " + (count == null ? "?" : count.string(0))
                    + " deployments, not " + deployments + ": lambdafs cluster resize changes the number");
        }
    }
}
