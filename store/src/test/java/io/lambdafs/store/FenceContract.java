package io.lambdafs.store;

import static io.lambdafs.store.StoreContract.assertCode;
import static io.lambdafs.store.StoreContract.await;
import static io.lambdafs.store.StoreContract.put;
import static io.lambdafs.store.StoreContract.sequence;
import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A fence ends what an epoch may do, for good. */
interface FenceContract extends StoreContract {
    private static Row instance(long epoch) {
        return new Row(Rows.instanceKey(epoch), 1L, "instance-" + epoch, 1_000L);
    }

    @Test
    default void shouldAbortRemoveAndRefuse() {
        commit(new Mutation.Put(instance(5)), new Mutation.Put(instance(6)));
        StoreTransaction open = store().begin(5);
        read(open, Read.shared(Rows.instanceKey(5)), Read.exclusive(sequence("a")));
        StoreTransaction waiting = store().begin(5);
        CompletableFuture<List<Row>> wait =
                waiting.read(List.of(Read.exclusive(sequence("a"))), 0).toCompletableFuture();
        StoreTransaction other = store().begin(6);
        read(other, Read.shared(Rows.instanceKey(6)));

        await(store().fence(5));

        assertThat(get(Rows.instanceKey(5))).isNull();
        assertCode(wait, ErrorCode.FENCED);
        assertCode(open.commit(List.of(put("a", 1)), Long.MAX_VALUE), ErrorCode.FENCED);
        assertCode(store().begin(5).read(List.of(), 0), ErrorCode.FENCED);
        assertCode(store().begin(5).commit(List.of(put("a", 1)), Long.MAX_VALUE), ErrorCode.FENCED);
        assertThat(get(sequence("a"))).isNull();
        await(other.commit(List.of(put("b", 1)), Long.MAX_VALUE));
        assertThat(get(Rows.instanceKey(6))).isEqualTo(instance(6));
    }

    @Test
    default void shouldTakeADeadEpochOffTheList() {
        commit(
                new Mutation.Put(instance(5)),
                new Mutation.Put(new Row(Rows.epochKey(5), 1L)),
                new Mutation.Put(new Row(Rows.epochKey(6), 1L)));

        await(store().fence(5));

        assertThat(get(Rows.epochKey(5))).isNull();
        assertThat(get(Rows.epochKey(6))).isNotNull();
    }

    @Test
    default void shouldFreeTheLocksOfADeadEpoch() {
        StoreTransaction frozen = store().begin(9);
        read(frozen, Read.exclusive(sequence("a")));
        StoreTransaction heir = begin();
        CompletableFuture<List<Row>> wait =
                heir.read(List.of(Read.exclusive(sequence("a"))), 0).toCompletableFuture();
        await(store().fence(9));
        await(wait);
        await(heir.commit(List.of(put("a", 2)), Long.MAX_VALUE));
    }

    @Test
    default void shouldBeIdempotentAndConcurrent() {
        commit(new Mutation.Put(instance(5)));
        List<CompletableFuture<Void>> fences = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            fences.add(store().fence(5).toCompletableFuture());
        }
        fences.forEach(StoreContract::await);
        await(store().fence(5));
        await(store().fence(77));
        assertThat(get(Rows.instanceKey(5))).isNull();
    }

    @Test
    default void shouldLetNothingOfTheEpochCommitAfterTheFenceCompleted() {
        for (long epoch = 100; epoch < 120; epoch++) {
            List<CompletableFuture<Void>> commits = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                StoreTransaction transaction = store().begin(epoch);
                commits.add(transaction
                        .commit(List.of(StoreContract.add("fenced", 1)), Long.MAX_VALUE)
                        .toCompletableFuture());
            }
            await(store().fence(epoch));
            Row after = get(sequence("fenced"));
            for (CompletableFuture<Void> commit : commits) {
                commit.handle((done, thrown) -> thrown).join();
            }
            assertThat(get(sequence("fenced"))).isEqualTo(after);
        }
    }
}
