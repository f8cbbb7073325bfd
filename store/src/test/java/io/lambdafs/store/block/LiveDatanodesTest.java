package io.lambdafs.store.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.block.DatanodeAddress;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.memory.MemoryStore;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class LiveDatanodesTest {
    private final ManualScheduler scheduler = new ManualScheduler(1);
    private final MemoryStore store = new MemoryStore(scheduler);
    private final LiveDatanodes datanodes = new LiveDatanodes(store, scheduler);

    private static DatanodeAddress address(String id) {
        return new DatanodeAddress(id, "127.0.0.1", 9_866);
    }

    private void beat(String id, String blockStore, Datanode.State state, long millis) {
        StoreTransaction transaction = store.begin(0);
        done(transaction.read(List.of(Read.exclusive(Datanode.key(id))), 0));
        Datanode datanode = new Datanode(address(id), blockStore, state, 10, 5, millis);
        done(transaction.commit(List.of(new Mutation.Put(datanode.row())), Long.MAX_VALUE));
    }

    private void beat(String id) {
        beat(id, "blocks", Datanode.State.SERVING, scheduler.currentTimeMillis());
    }

    private <T> T done(CompletionStage<T> stage) {
        scheduler.run();
        return stage.toCompletableFuture().join();
    }

    private void pass(Duration time) {
        scheduler.advance(time.toNanos());
    }

    @Test
    void shouldReadBackARow() {
        Datanode datanode = new Datanode(address("dn-1"), "blocks", Datanode.State.DRAINING, 7, 3, 99);

        assertThat(Datanode.of(datanode.row())).isEqualTo(datanode);
    }

    private List<DatanodeAddress> live(String blockStore) {
        return done(datanodes.live()).stream()
                .filter(each -> each.store().equals(blockStore))
                .map(Datanode::address)
                .toList();
    }

    @Test
    void shouldNameThoseWhoseHeartbeatIsYoung() {
        pass(Duration.ofSeconds(100));
        beat("dn-1");
        beat("dn-2", "blocks", Datanode.State.SERVING, scheduler.currentTimeMillis() - 7_000);
        beat("dn-3", "blocks", Datanode.State.STOPPED, scheduler.currentTimeMillis());
        beat("dn-4", "archive", Datanode.State.SERVING, scheduler.currentTimeMillis());

        assertThat(live("blocks")).containsExactly(address("dn-1"));
        assertThat(live("archive")).containsExactly(address("dn-4"));
    }

    @Test
    void shouldNoticeADeathAndAReturn() {
        beat("dn-1");
        assertThat(done(datanodes.live())).hasSize(1);

        pass(Duration.ofSeconds(5));
        assertThat(done(datanodes.live())).hasSize(1);
        pass(Duration.ofSeconds(1));
        assertThat(done(datanodes.live())).isEmpty();

        beat("dn-1");
        pass(Duration.ofSeconds(2));
        assertThat(done(datanodes.live())).hasSize(1);
    }

    @Test
    void shouldBelieveHeartbeatsThatChangeMoreThanClocks() {
        pass(Duration.ofHours(2));
        beat("dn-1", "blocks", Datanode.State.SERVING, 1_000);
        assertThat(done(datanodes.live())).isEmpty();

        pass(Duration.ofSeconds(1));
        beat("dn-1", "blocks", Datanode.State.SERVING, 2_000);
        assertThat(done(datanodes.live())).hasSize(1);

        pass(Duration.ofSeconds(5));
        assertThat(done(datanodes.live())).hasSize(1);
        pass(Duration.ofSeconds(2));
        assertThat(done(datanodes.live())).isEmpty();
    }

    @Test
    void shouldAskTheStoreOnceASecond() {
        pass(Duration.ofSeconds(100));
        beat("dn-1");
        assertThat(done(datanodes.live())).hasSize(1);
        beat("dn-2");
        pass(Duration.ofMillis(900));
        assertThat(done(datanodes.live())).hasSize(1);
        pass(Duration.ofMillis(100));
        assertThat(done(datanodes.live())).hasSize(2);
        assertThat(store.openTransactions()).isZero();
    }

    @Test
    void shouldReadFromADrainingOneLastAndWriteToItNever() {
        beat("dn-1", "blocks", Datanode.State.DRAINING, scheduler.currentTimeMillis());
        for (int i = 2; i < 6; i++) {
            beat("dn-" + i);
        }
        Set<String> firsts = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            List<DatanodeAddress> readers = live("blocks");
            assertThat(readers).hasSize(5);
            assertThat(readers.get(4)).isEqualTo(address("dn-1"));
            firsts.add(readers.get(0).id());
        }
        assertThat(firsts).hasSize(4);
    }
}
