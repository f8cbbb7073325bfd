package io.lambdafs.store;

import static io.lambdafs.store.StoreContract.assertCode;
import static io.lambdafs.store.StoreContract.await;
import static io.lambdafs.store.StoreContract.number;
import static io.lambdafs.store.StoreContract.operation;
import static io.lambdafs.store.StoreContract.put;
import static io.lambdafs.store.StoreContract.sequence;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.testkit.Waits;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Contract for transient refusals of an engine, such as conflicts in its database: none is reported as done. */
interface RefusalContract extends StoreContract {
    /** Long enough for an answer that should not come. */
    long WAIT_SECONDS = 2;

    /** A way in which an engine refuses. */
    interface Refusal {
        /** Refuses from now on what concerns the row, which is there; returns what ends that, once or more. */
        End of(Key key) throws Exception;
    }

    /** Ends a refusal. */
    interface End {
        void run() throws Exception;
    }

    /** Returns refusals of changes; none if the engine's database is not shared. */
    default List<Refusal> refusalsOfChanges() {
        return List.of();
    }

    /** Returns refusals of reads; none if no read of the engine can conflict. */
    default List<Refusal> refusalsOfReads() {
        return List.of();
    }

    /** It may be repeated when the refusal is over, or fail for good: but then with the code that lets the client repeat it. */
    @Test
    default void shouldMakeAllOfACommitOrSayThatNothingWasMade() throws Exception {
        assumeFalse(refusalsOfChanges().isEmpty(), "nobody else uses the engine");
        Mutation[] changes = {put("a", 2), new Mutation.Put(operation("/a", 2)), put("b", 2)};
        for (Refusal each : refusalsOfChanges()) {
            commit(put("a", 1), new Mutation.Put(operation("/a", 1)), put("b", 1));
            End end = each.of(sequence("b"));
            try {
                CompletableFuture<Void> answer =
                        begin().commit(List.of(changes), Long.MAX_VALUE).toCompletableFuture();
                answer.copy()
                        .completeOnTimeout(null, WAIT_SECONDS, TimeUnit.SECONDS)
                        .exceptionally(refused -> null)
                        .join();
                assertRows(1);
                boolean refused = answer.isDone();
                end.run();
                if (refused) {
                    assertCode(answer, ErrorCode.STORE_CONFLICT);
                    assertRows(1);
                    commit(changes);
                } else {
                    await(answer);
                }
            } finally {
                end.run();
            }
            assertRows(2);
        }
    }

    private void assertRows(long value) {
        assertThat(read(
                        begin(),
                        Read.unlocked(sequence("a")),
                        Read.unlocked(operation("/a", 0).key()),
                        Read.unlocked(sequence("b"))))
                .containsExactly(number("a", value), operation("/a", value), number("b", value));
    }

    /** An answer without the row would say that it is not there. */
    @Test
    default void shouldAnswerNoReadThatItsEngineRefuses() throws Exception {
        assumeFalse(refusalsOfReads().isEmpty(), "no read conflicts");
        commit(put("a", 1), put("b", 1), new Mutation.Put(operation("/a", 1)));
        for (Refusal each : refusalsOfReads()) {
            List<Read> reads = List.of(Read.unlocked(operation("/a", 1).key()), Read.unlocked(sequence("b")));
            End end = each.of(sequence("b"));
            try {
                assertRefused(begin().read(reads, 0).toCompletableFuture());
                assertRefused(begin().readAndEnd(reads, 0).toCompletableFuture());
            } finally {
                end.run();
            }
            assertThat(get(sequence("b"))).isEqualTo(number("b", 1));
        }
    }

    private static void assertRefused(CompletableFuture<?> answer) {
        try {
            Object rows = Waits.join(answer);
            throw new AssertionError("answered " + rows + ", though the engine refused");
        } catch (CompletionException e) {
            if (e.getCause() instanceof FsException refused) {
                assertThat(refused.code()).isIn(ErrorCode.STORE_CONFLICT, ErrorCode.UNAVAILABLE);
            }
        }
    }
}
