package io.lambdafs.store;

import static io.lambdafs.store.StoreContract.assertCode;
import static io.lambdafs.store.StoreContract.await;
import static io.lambdafs.store.StoreContract.number;
import static io.lambdafs.store.StoreContract.put;
import static io.lambdafs.store.StoreContract.sequence;
import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Transactions in one message: those that commit if the rows are as expected, and those that only read. */
interface GuardContract extends StoreContract {
    private static GuardedCommit guarded(Guard a, Guard b, Mutation... mutations) {
        List<Read> reads = List.of(Read.exclusive(sequence("a")), Read.exclusive(sequence("b")));
        return new GuardedCommit(reads, List.of(a, b), List.of(mutations), Long.MAX_VALUE);
    }

    private static GuardedCommit expecting(Guard guard) {
        return guarded(guard, new Guard.Absent(), put("b", 1));
    }

    @Test
    default void shouldCommitIfAllIsAsExpected() {
        commit(put("a", 7));
        StoreTransaction transaction = begin();
        Guard same = new Guard.Same(number("a", 7));
        assertThat(await(transaction.commitIf(guarded(same, new Guard.Absent(), put("a", 8), put("b", 1)))))
                .isEmpty();
        assertThat(get(sequence("a"))).isEqualTo(number("a", 8));
        assertThat(get(sequence("b"))).isEqualTo(number("b", 1));
        assertCode(transaction.read(List.of(Read.unlocked(sequence("a"))), 0), ErrorCode.STORE_CONFLICT);
        // Its locks are free.
        assertThat(await(begin().commitIf(guarded(new Guard.Present(), new Guard.Below(2), put("b", 2)))))
                .isEmpty();
        assertThat(get(sequence("b"))).isEqualTo(number("b", 2));
        assertThat(await(begin().commitIf(guarded(new Guard.Any(), new Guard.Any(), put("b", 3)))))
                .isEmpty();
        assertThat(await(begin().commitIf(expecting(new Guard.Any()))))
                .as("b is there")
                .isPresent();
    }

    @Test
    default void shouldCommitNothingIfOneRowIsNot() {
        commit(put("a", 7));
        for (Guard wrong : List.of(new Guard.Absent(), new Guard.Same(number("a", 6)), new Guard.Below(7))) {
            StoreTransaction transaction = begin();
            assertThat(await(transaction.commitIf(expecting(wrong))))
                    .as("%s", wrong)
                    .isPresent();
            transaction.abort();
            assertThat(get(sequence("b"))).as("%s", wrong).isNull();
        }
        StoreTransaction transaction = begin();
        assertThat(await(transaction.commitIf(guarded(new Guard.Present(), new Guard.Present(), put("a", 9)))))
                .isPresent();
        transaction.abort();
        assertThat(get(sequence("a"))).isEqualTo(number("a", 7));
        StoreTransaction absent = begin();
        assertThat(await(absent.commitIf(guarded(new Guard.Present(), new Guard.Below(9), put("b", 1)))))
                .as("what is not there is below nothing")
                .isPresent();
        absent.abort();
        assertThat(get(sequence("b"))).isNull();
    }

    @Test
    default void shouldGoOnWithItsLocksIfOneRowIsNot() {
        commit(put("a", 7));
        StoreTransaction transaction = begin();
        Optional<List<@Nullable Row>> rows = await(transaction.commitIf(expecting(new Guard.Absent())));
        assertThat(rows.orElseThrow()).containsExactly(number("a", 7), null);
        assertCode(
                begin().read(List.of(Read.shared(sequence("b"))), StoreTransaction.AT_ONCE), ErrorCode.STORE_CONFLICT);
        await(transaction.commit(List.of(put("b", 3)), Long.MAX_VALUE));
        assertThat(get(sequence("b"))).isEqualTo(number("b", 3));
    }

    @Test
    default void shouldCompareUnderTheLocks() {
        StoreTransaction before = begin();
        read(before, Read.exclusive(sequence("a")));
        CompletionStage<Optional<List<@Nullable Row>>> attempt = begin().commitIf(expecting(new Guard.Absent()));
        await(before.commit(List.of(put("a", 1)), Long.MAX_VALUE));
        assertThat(await(attempt).orElseThrow()).containsExactly(number("a", 1), null);
    }

    @Test
    default void shouldRefuseGuardedCommitAfterItsDeadline() {
        StoreTransaction transaction = begin();
        List<Read> reads = List.of(Read.exclusive(sequence("a")));
        assertCode(
                transaction.commitIf(new GuardedCommit(reads, List.of(new Guard.Absent()), List.of(put("a", 1)), 1)),
                ErrorCode.DEADLINE_EXCEEDED);
        assertThat(get(sequence("a"))).isNull();
        commit(put("a", 2));
    }

    @Test
    default void shouldEndWithItsLastRead() {
        commit(put("a", 7));
        StoreTransaction transaction = begin();
        assertThat(await(transaction.readAndEnd(List.of(Read.exclusive(sequence("a"))), 0)))
                .containsExactly(number("a", 7));
        assertCode(transaction.commit(List.of(put("a", 8)), Long.MAX_VALUE), ErrorCode.STORE_CONFLICT);
        transaction.abort();
        StoreTransaction next = begin();
        assertThat(await(next.read(List.of(Read.exclusive(sequence("a"))), StoreTransaction.AT_ONCE)))
                .containsExactly(number("a", 7));
        next.abort();
    }
}
