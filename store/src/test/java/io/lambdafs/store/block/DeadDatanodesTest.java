package io.lambdafs.store.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.block.DatanodeAddress;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class DeadDatanodesTest {
    private final ManualScheduler scheduler = new ManualScheduler(1);
    private final MemoryStore store = new MemoryStore(scheduler);

    private void beat(String id, Datanode.State state) {
        Datanode datanode = new Datanode(
                new DatanodeAddress(id, "127.0.0.1", 9_866), "blocks", state, 10, 5, scheduler.currentTimeMillis());
        StoreTransaction transaction = store.begin(0);
        done(transaction.read(List.of(Read.exclusive(Datanode.key(id))), 0));
        done(transaction.commit(List.of(new Mutation.Put(datanode.row())), Long.MAX_VALUE));
    }

    private <T> T done(CompletionStage<T> stage) {
        scheduler.run();
        return stage.toCompletableFuture().join();
    }

    private List<String> listed() {
        return store.rows().stream()
                .filter(row -> row.key().table().equals(Schema.DATANODES))
                .map(row -> row.key().string(1))
                .toList();
    }

    private void passMinutes(int minutes, String... alive) {
        for (int i = 0; i < minutes; i++) {
            scheduler.advance(Duration.ofMinutes(1).toNanos());
            for (String id : alive) {
                beat(id, Datanode.State.SERVING);
            }
        }
    }

    /** Two look at once, over a day in which forty datanodes come and go. */
    @Test
    void shouldKeepTheListAsLongAsThoseThatLive() {
        DeadDatanodes first = new DeadDatanodes(store, scheduler);
        DeadDatanodes second = new DeadDatanodes(store, scheduler);
        first.start();
        second.start();
        for (int i = 0; i < 40; i++) {
            beat("gone-" + i, i % 2 == 0 ? Datanode.State.STOPPED : Datanode.State.SERVING);
            passMinutes(36, "here");
            assertThat(listed()).contains("here").hasSizeLessThanOrEqualTo(4);
        }
        passMinutes(70, "here");
        assertThat(listed()).containsExactly("here");
        first.close();
        second.close();
    }

    @Test
    void shouldTakeAFirstLookForNoDeath() {
        beat("old", Datanode.State.SERVING);
        scheduler.advance(Duration.ofDays(3).toNanos());
        DeadDatanodes dead = new DeadDatanodes(store, scheduler);

        assertThat(done(dead.run())).isZero();
        scheduler.advance(DeadDatanodes.FORGOTTEN_AFTER_NANOS);
        assertThat(done(dead.run())).isEqualTo(1);
        assertThat(listed()).isEmpty();
    }
}
