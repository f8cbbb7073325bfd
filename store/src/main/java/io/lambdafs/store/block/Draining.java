package io.lambdafs.store.block;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Drains a datanode: it takes no further blocks, so that it can be stopped. Stateless. */
public final class Draining {
    private static final int MOST = 10_000;
    private static final long YOUNG_MILLIS = TimeUnit.SECONDS.toMillis(10);

    private Draining() {}

    /** Lists all registered datanodes, dead ones included. */
    public static CompletionStage<List<Datanode>> list(MetadataStore store) {
        StoreTransaction transaction = store.begin(0);
        return transaction
                .scan(new Scan(Schema.DATANODES, 0L, null, MOST))
                .whenComplete((rows, failure) -> transaction.abort())
                .thenApply(rows -> rows.stream().map(Datanode::of).toList());
    }

    /** Returns whether a datanode's last heartbeat is recent, comparing wall clocks, and says that it takes blocks. */
    public static boolean serves(Datanode datanode, long nowMillis) {
        return datanode.state() == Datanode.State.SERVING && nowMillis - datanode.heartbeatMillis() < YOUNG_MILLIS;
    }

    /**
     * Begins to drain a datanode: it is sent nothing new. May be repeated.
     *
     * @return its previous row; fails with {@code NOT_FOUND}, or with {@code NOT_ALLOWED} if no other datanode takes
     *     its store's blocks
     */
    public static CompletionStage<Datanode> begin(MetadataStore store, String id, long nowMillis) {
        return list(store).thenCompose(all -> {
            Datanode drained = all.stream()
                    .filter(each -> each.address().id().equals(id))
                    .findFirst()
                    .orElseThrow(() -> new FsException(
                            ErrorCode.NOT_FOUND,
                            "there is no datanode " + id + "; there are "
                                    + all.stream()
                                            .map(each -> each.address().id())
                                            .toList()));
            boolean last = all.stream()
                    .noneMatch(each -> !each.address().id().equals(id)
                            && each.store().equals(drained.store())
                            && serves(each, nowMillis));
            if (last) {
                throw new FsException(
                        ErrorCode.NOT_ALLOWED,
                        "datanode " + id + " is the last one that takes blocks for " + drained.store()
                                + ": start another one first");
            }
            return mark(store, id).thenApply(done -> drained);
        });
    }

    private static CompletionStage<Void> mark(MetadataStore store, String id) {
        StoreTransaction transaction = store.begin(0);
        return transaction
                .read(List.of(Read.exclusive(Datanode.key(id))), 0)
                .thenCompose(rows -> {
                    Row row = rows.get(0);
                    if (row == null || Datanode.of(row).state() != Datanode.State.SERVING) {
                        return CompletableFuture.<Void>completedFuture(null);
                    }
                    Row marked =
                            Datanode.of(row).withState(Datanode.State.DRAINING).row();
                    return transaction.commit(List.of(new Mutation.Put(marked)), Long.MAX_VALUE);
                })
                .whenComplete((done, failure) -> transaction.abort());
    }
}
