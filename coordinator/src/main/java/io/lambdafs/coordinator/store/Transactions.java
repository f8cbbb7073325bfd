package io.lambdafs.coordinator.store;

import io.lambdafs.model.FsException;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Scan;
import io.lambdafs.store.StoreTransaction;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a coordinator's short transactions: read some rows, change some, in two messages. Store failures are mapped to a
 * coordinator's: {@code FENCED}, or {@code UNAVAILABLE} if retriable. Thread-safe.
 */
final class Transactions {
    private final MetadataStore store;
    private volatile boolean closed;

    Transactions(MetadataStore store) {
        this.store = store;
    }

    /** Makes all later calls fail. */
    void close() {
        closed = true;
    }

    /** Reads a page of committed rows. */
    CompletionStage<List<Row>> scan(Scan scan) {
        return run(0, transaction -> transaction.scan(scan));
    }

    /** Reads committed rows. */
    CompletionStage<List<@Nullable Row>> read(List<Read> reads) {
        return run(0, transaction -> transaction.read(reads, 0));
    }

    /**
     * Locks and reads rows, then makes the changes decided from them.
     *
     * @param owner an epoch; 0 for none
     * @param decision returns the changes, possibly none; may throw, which aborts
     */
    CompletionStage<Void> change(long owner, List<Read> reads, Function<List<@Nullable Row>, List<Mutation>> decision) {
        return run(
                owner,
                transaction -> transaction.read(reads, 0).thenCompose(rows -> {
                    List<Mutation> changes = decision.apply(rows);
                    return changes.isEmpty()
                            ? CompletableFuture.completedFuture(null)
                            : transaction.commit(changes, Long.MAX_VALUE);
                }));
    }

    /** Fences a number, as the store does. */
    CompletionStage<Void> fence(long epoch) {
        return call(() -> store.fence(epoch));
    }

    /** Runs the steps of a transaction; aborts it if it did not commit. */
    <T> CompletionStage<T> run(long owner, Function<StoreTransaction, CompletionStage<T>> steps) {
        return call(() -> {
            StoreTransaction transaction = store.begin(owner);
            return steps.apply(transaction).whenComplete((value, failure) -> transaction.abort());
        });
    }

    private <T> CompletionStage<T> call(Supplier<CompletionStage<T>> call) {
        if (closed) {
            return CompletableFuture.failedFuture(FsException.unavailable("this coordinator is closed"));
        }
        CompletableFuture<T> answer = new CompletableFuture<>();
        CompletionStage<T> stage;
        try {
            stage = call.get();
        } catch (RuntimeException e) {
            stage = CompletableFuture.failedFuture(e);
        }
        stage.whenComplete((value, failure) -> {
            if (failure == null) {
                answer.complete(value);
            } else {
                answer.completeExceptionally(told(FsException.of(failure)));
            }
        });
        return answer;
    }

    private static FsException told(FsException failure) {
        return switch (failure.code()) {
            case STORE_CONFLICT, CONNECTION_LOST, TIMED_OUT, OVERLOADED, STORE_FULL ->
                FsException.unavailable("the store that coordinates did not answer: " + failure.getMessage(), failure);
            default -> failure;
        };
    }
}
