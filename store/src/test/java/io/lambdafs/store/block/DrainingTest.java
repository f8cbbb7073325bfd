package io.lambdafs.store.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.block.DatanodeAddress;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.memory.MemoryStore;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class DrainingTest {
    private final ManualScheduler scheduler = new ManualScheduler(1);
    private final MemoryStore store = new MemoryStore(scheduler);

    private void list(String id, String blockStore, Datanode.State state, long heartbeatMillis) {
        Datanode datanode =
                new Datanode(new DatanodeAddress(id, "127.0.0.1", 9_866), blockStore, state, 10, 5, heartbeatMillis);
        done(store.begin(0).commit(List.of(new Mutation.Put(datanode.row())), Long.MAX_VALUE));
    }

    private <T> T done(CompletionStage<T> stage) {
        scheduler.run();
        return stage.toCompletableFuture().join();
    }

    private Datanode.State state(String id) {
        return done(Draining.list(store)).stream()
                .filter(each -> each.address().id().equals(id))
                .findFirst()
                .orElseThrow()
                .state();
    }

    private void drain(String id) {
        done(Draining.begin(store, id, 100_000));
    }

    @Test
    void shouldDrainOneWhileAnotherTakesTheBlocksOfItsStore() {
        list("dn-1", "blocks", Datanode.State.SERVING, 99_000);
        list("dn-2", "blocks", Datanode.State.SERVING, 99_000);

        drain("dn-1");
        drain("dn-1");

        assertThat(state("dn-1")).isEqualTo(Datanode.State.DRAINING);
        assertThatThrownBy(() -> drain("dn-2")).hasMessageContaining("the last one that takes blocks for blocks");
        assertThat(state("dn-2")).isEqualTo(Datanode.State.SERVING);
    }

    @Test
    void shouldCountNeitherTheDeadNorTheStoppedNorThoseOfOtherStores() {
        list("dn-1", "blocks", Datanode.State.SERVING, 99_000);
        list("dead", "blocks", Datanode.State.SERVING, 10_000);
        list("stopped", "blocks", Datanode.State.STOPPED, 99_000);
        list("other", "archive", Datanode.State.SERVING, 99_000);

        assertThatThrownBy(() -> drain("dn-1")).hasMessageContaining("start another one first");
        drain("stopped");
        assertThat(state("stopped")).isEqualTo(Datanode.State.STOPPED);
        assertThatThrownBy(() -> drain("none")).hasMessageContaining("there is no datanode none");
    }
}
