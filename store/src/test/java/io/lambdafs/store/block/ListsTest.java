package io.lambdafs.store.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.block.DatanodeAddress;
import io.lambdafs.model.block.ObjectKey;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.memory.MemoryStore;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Lists of datanodes and of what they found, and that none leaves a transaction open, whose locks would stay. */
class ListsTest {
    private static final BlockFault FAULT =
            new BlockFault("blocks", ObjectKey.prefix(3) + "key", 7, 0, "length", 1_000);
    private static final Datanode DATANODE = new Datanode(
            new DatanodeAddress("dn-1", "127.0.0.1", 9_866), "blocks", Datanode.State.SERVING, 10, 5, 1_000);

    private final MemoryStore store = new MemoryStore(new ManualScheduler());

    private void put(Row row) {
        done(store.begin(0).commit(List.of(new Mutation.Put(row)), Long.MAX_VALUE));
    }

    private <T> T done(CompletionStage<T> stage) {
        T answer = stage.toCompletableFuture().join();
        assertThat(store.openTransactions()).isZero();
        return answer;
    }

    @Test
    void shouldListDatanodes() {
        put(DATANODE.row());
        assertThat(done(Draining.list(store))).containsExactly(DATANODE);
    }

    @Test
    void shouldListTheFaultsOfABucket() {
        put(FAULT.row());
        assertThat(done(BlockFault.list(store, "blocks", 3))).containsExactly(FAULT);
        assertThat(done(BlockFault.list(store, "blocks", 2))).isEmpty();
        assertThat(done(BlockFault.list(store, "other", 3))).isEmpty();
    }

    @Test
    void shouldListTheReportsOfABlockStore() {
        BlockReport report = new BlockReport("blocks", 3, BlockReport.Contents.NONE, 1, 2, "dn-1", 1_000, 2_000, "5");
        put(report.row());
        assertThat(done(BlockReport.list(store, "blocks"))).containsExactly(report);
        assertThat(done(BlockReport.list(store, "other"))).isEmpty();
    }
}
