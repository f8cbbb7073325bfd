package io.lambdafs.datanode;

import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.DatanodeAddress;
import io.lambdafs.model.time.Chore;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.model.time.Stages;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.block.Datanode;
import io.lambdafs.store.block.LiveDatanodes;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records every second in the metadata store that a datanode is alive, and how much room it has. Thread-safe. */
final class Heartbeats {
    private static final Logger LOG = LoggerFactory.getLogger(Heartbeats.class);

    private final MetadataStore store;
    private final Scheduler scheduler;
    private final DatanodeAddress address;
    private final BlockStore blocks;
    private final String blockStore;
    private volatile boolean stopped;
    private volatile @Nullable String failing;
    private final Chore chore;

    Heartbeats(
            MetadataStore store, Scheduler scheduler, DatanodeAddress address, BlockStore blocks, String blockStore) {
        this.store = store;
        this.scheduler = scheduler;
        this.address = address;
        this.blocks = blocks;
        this.blockStore = blockStore;
        this.chore = Chore.every(LiveDatanodes.HEARTBEAT_NANOS, scheduler, this::beat);
    }

    /** Writes the first heartbeat; others follow once it is written. */
    CompletionStage<Void> start() {
        return write(null).thenRun(chore::start);
    }

    private CompletionStage<Void> beat() {
        return Stages.call(() -> write(null)).whenComplete((done, failure) -> {
            String why = failure == null ? null : FsException.of(failure).getMessage();
            if (why != null && failing == null && !stopped) {
                LOG.warn("no heartbeat: {}", why);
            } else if (why == null && failing != null) {
                LOG.info("heartbeats again");
            }
            failing = why;
        });
    }

    /** Returns why the last heartbeat could not be written; null if it was. */
    @Nullable
    String failure() {
        return failing;
    }

    /** Records that the datanode has ended cleanly; no heartbeat follows. */
    CompletionStage<Void> stop() {
        stopped = true;
        chore.close();
        return write(Datanode.State.STOPPED);
    }

    /** @param wanted null for the state in the row: an operator may have changed it */
    private CompletionStage<Void> write(Datanode.@Nullable State wanted) {
        BlockStore.Space space;
        try {
            space = blocks.space();
        } catch (FsException e) {
            return CompletableFuture.failedFuture(e);
        }
        StoreTransaction transaction = store.begin(0);
        return transaction
                .read(List.of(Read.exclusive(Datanode.key(address.id()))), 0)
                .thenCompose(rows -> {
                    Datanode next = new Datanode(
                            address,
                            blockStore,
                            wanted != null ? wanted : state(rows.get(0)),
                            space.capacityBytes(),
                            space.freeBytes(),
                            scheduler.currentTimeMillis());
                    return transaction.commit(List.of(new Mutation.Put(next.row())), Long.MAX_VALUE);
                })
                .whenComplete((done, failure) -> transaction.abort());
    }

    private static Datanode.State state(@Nullable Row row) {
        return row != null && Datanode.of(row).state() == Datanode.State.DRAINING
                ? Datanode.State.DRAINING
                : Datanode.State.SERVING;
    }
}
