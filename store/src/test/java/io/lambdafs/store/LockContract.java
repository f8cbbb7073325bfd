package io.lambdafs.store;

import static io.lambdafs.store.StoreContract.assertCode;
import static io.lambdafs.store.StoreContract.await;
import static io.lambdafs.store.StoreContract.failure;
import static io.lambdafs.store.StoreContract.number;
import static io.lambdafs.store.StoreContract.put;
import static io.lambdafs.store.StoreContract.sequence;
import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.testkit.Waits;
import io.lambdafs.store.engine.StoreLimits;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Locks are granted first come first served, wait within limits, and end with their transaction. */
interface LockContract extends StoreContract {
    private CompletableFuture<List<Row>> ask(StoreTransaction transaction, Read... reads) {
        return transaction.read(List.of(reads), 0).toCompletableFuture();
    }

    @Test
    default void shouldShareAndExcludeOnRowsThatDoNotExist() {
        StoreTransaction one = begin();
        StoreTransaction two = begin();
        StoreTransaction three = begin();
        read(one, Read.shared(sequence("a")));
        read(two, Read.shared(sequence("a")));
        CompletableFuture<List<Row>> writer = ask(three, Read.exclusive(sequence("a")));
        one.abort();
        read(two, Read.shared(sequence("b")));
        assertThat(writer).isNotDone();
        two.abort();
        assertThat(await(writer)).containsExactly((Row) null);
        three.abort();
    }

    @Test
    default void shouldGrantFirstComeFirstServedAndReadAfterTheGrant() {
        StoreTransaction holder = begin();
        read(holder, Read.exclusive(sequence("a")));
        StoreTransaction writer = begin();
        StoreTransaction reader = begin();
        CompletableFuture<List<Row>> written = ask(writer, Read.exclusive(sequence("a")));
        CompletableFuture<List<Row>> seen = ask(reader, Read.shared(sequence("a")));
        await(holder.commit(List.of(put("a", 1)), Long.MAX_VALUE));
        assertThat(await(written)).containsExactly(number("a", 1));
        assertThat(seen).isNotDone();
        await(writer.commit(List.of(put("a", 2)), Long.MAX_VALUE));
        assertThat(await(seen)).containsExactly(number("a", 2));
        reader.abort();
    }

    @Test
    default void shouldTakeAtOnceWhatIsFreeAndFailAtTheFirstThatIsNot() {
        StoreTransaction holder = begin();
        read(holder, Read.exclusive(sequence("b")));
        StoreTransaction lucky = begin();
        await(lucky.read(List.of(Read.exclusive(sequence("a"))), StoreTransaction.AT_ONCE));
        lucky.abort();
        StoreTransaction unlucky = begin();
        assertCode(
                unlucky.read(
                                List.of(Read.exclusive(sequence("a")), Read.shared(sequence("b"))),
                                StoreTransaction.AT_ONCE)
                        .toCompletableFuture(),
                ErrorCode.STORE_CONFLICT);
        StoreTransaction other = begin();
        read(other, Read.exclusive(sequence("a")));
        other.abort();
        holder.abort();
    }

    @Test
    default void shouldBeReentrantAndRefuseUpgrades() {
        StoreTransaction one = begin();
        read(one, Read.exclusive(sequence("a")), Read.shared(sequence("b")));
        read(one, Read.shared(sequence("a")), Read.exclusive(sequence("a")), Read.shared(sequence("b")));
        assertThat(failure(ask(one, Read.exclusive(sequence("b"))))).isInstanceOf(IllegalArgumentException.class);
        StoreTransaction two = begin();
        read(two, Read.exclusive(sequence("a")), Read.exclusive(sequence("b")));
        two.abort();
        assertThat(failure(one.commit(List.of(put("a", 1)), Long.MAX_VALUE))).isNotNull();
        assertThat(get(sequence("a"))).isNull();
    }

    @Test
    default void shouldRefuseAChangeUnderASharedLock() {
        StoreTransaction one = begin();
        read(one, Read.shared(sequence("a")));
        assertThat(failure(one.commit(List.of(put("a", 1)), Long.MAX_VALUE)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(get(sequence("a"))).isNull();
    }

    @Test
    default void shouldEndTheTransactionWhoseLockWaitIsExceeded() {
        StoreTransaction holder = begin();
        read(holder, Read.exclusive(sequence("a")));
        StoreTransaction late = begin();
        read(late, Read.exclusive(sequence("b")));
        assertCode(late.read(List.of(Read.shared(sequence("a"))), 20_000_000), ErrorCode.STORE_CONFLICT);
        StoreTransaction next = begin();
        read(next, Read.exclusive(sequence("b")));
        next.abort();
        assertCode(late.commit(List.of(put("b", 1)), Long.MAX_VALUE), ErrorCode.STORE_CONFLICT);
        holder.abort();
        assertThat(get(sequence("b"))).isNull();
    }

    @Test
    default void shouldWaitNoLongerThanTheStoresOwnLimit() {
        reopen(StoreLimits.defaults().withLockWait(Duration.ofMillis(50)));
        StoreTransaction holder = begin();
        read(holder, Read.exclusive(sequence("a")));
        assertCode(begin().read(List.of(Read.shared(sequence("a"))), 0), ErrorCode.STORE_CONFLICT);
        holder.abort();
    }

    @Test
    default void shouldBreakADeadlockAtOnce() {
        StoreTransaction one = begin();
        StoreTransaction two = begin();
        read(one, Read.exclusive(sequence("a")));
        read(two, Read.exclusive(sequence("b")));
        long hour = TimeUnit.HOURS.toNanos(1);
        CompletableFuture<List<Row>> first =
                one.read(List.of(Read.exclusive(sequence("b"))), hour).toCompletableFuture();
        assertCode(two.read(List.of(Read.exclusive(sequence("a"))), hour), ErrorCode.STORE_CONFLICT);
        await(first);
        await(one.commit(List.of(put("a", 1), put("b", 1)), Long.MAX_VALUE));
        assertThat(get(sequence("b"))).isEqualTo(number("b", 1));
    }

    @Test
    default void shouldFreeLocksByAbortAndCommit() {
        StoreTransaction one = begin();
        read(one, Read.exclusive(sequence("a")));
        one.abort();
        one.abort();
        StoreTransaction two = begin();
        read(two, Read.exclusive(sequence("a")));
        await(two.commit(List.of(), Long.MAX_VALUE));
        two.abort();
        StoreTransaction three = begin();
        read(three, Read.exclusive(sequence("a")));
        three.abort();
    }

    @Test
    default void shouldAbortATransactionThatWaits() {
        StoreTransaction holder = begin();
        read(holder, Read.exclusive(sequence("a")));
        StoreTransaction waiter = begin();
        CompletableFuture<List<Row>> waiting = ask(waiter, Read.exclusive(sequence("a")));
        waiter.abort();
        assertCode(waiting, ErrorCode.STORE_CONFLICT);
        assertCode(waiter.read(List.of(), 0), ErrorCode.STORE_CONFLICT);
        assertCode(waiter.commit(List.of(put("a", 1)), Long.MAX_VALUE), ErrorCode.STORE_CONFLICT);
        holder.abort();
        assertThat(get(sequence("a"))).isNull();
    }

    @Test
    default void shouldRefuseACallAfterTheCommit() {
        StoreTransaction one = begin();
        await(one.commit(List.of(put("a", 1)), Long.MAX_VALUE));
        assertCode(one.commit(List.of(put("a", 2)), Long.MAX_VALUE), ErrorCode.STORE_CONFLICT);
        assertThat(get(sequence("a"))).isEqualTo(number("a", 1));
    }

    @Test
    default void shouldAbortATransactionThatOutlivesItsLimit() {
        reopen(new StoreLimits(Duration.ofMillis(100), Duration.ofMillis(200), 100, 100));
        StoreTransaction idle = begin();
        read(idle, Read.exclusive(sequence("a")));
        // Each of these waits 100 ms at most; one comes after the limit.
        StoreTransaction next = begin();
        CompletableFuture<List<Row>> granted = ask(next, Read.exclusive(sequence("a")));
        while (Waits.join(granted.handle((rows, thrown) -> thrown != null))) {
            next = begin();
            granted = ask(next, Read.exclusive(sequence("a")));
        }
        next.abort();
        assertCode(idle.commit(List.of(put("a", 1)), Long.MAX_VALUE), ErrorCode.STORE_CONFLICT);
        assertThat(get(sequence("a"))).isNull();
    }

    @Test
    default void shouldBoundOpenTransactions() {
        reopen(StoreLimits.defaults().withMaxTransactions(2));
        StoreTransaction one = begin();
        StoreTransaction two = begin();
        read(one, Read.shared(sequence("a")));
        read(two, Read.shared(sequence("a")));
        assertCode(begin().read(List.of(), 0), ErrorCode.UNAVAILABLE);
        one.abort();
        read(begin(), Read.shared(sequence("a")));
        two.abort();
    }
}
