package io.lambdafs.functions.namenode;

import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Allocates unique numbers from a sequence in the store, in blocks so that a request rarely waits. Unused numbers of a
 * block are lost. Thread-safe.
 */
public final class IdAllocator {
    public static final int BLOCK = 4_096;

    private final MetadataStore store;
    private final String sequence;
    private final LongSupplier epoch;
    private long next;
    private long end;
    private @Nullable CompletableFuture<Void> refill;

    /** @param epoch the instance's current epoch, 0 for none: its fence frees the lock of an allocation in progress */
    public IdAllocator(MetadataStore store, String sequence, LongSupplier epoch) {
        this.store = store;
        this.sequence = sequence;
        this.epoch = epoch;
    }

    /** Returns the first of {@code count} consecutive numbers; {@code count} is at most {@value #BLOCK}. */
    public CompletionStage<Long> take(int count) {
        CompletableFuture<Void> wait;
        synchronized (this) {
            if (end - next >= count) {
                long first = next;
                next += count;
                return CompletableFuture.completedFuture(first);
            }
            if (refill == null) {
                refill = new CompletableFuture<>();
                wait = refill;
                fetch(wait);
            } else {
                wait = refill;
            }
        }
        return wait.thenCompose(done -> take(count));
    }

    private void fetch(CompletableFuture<Void> waiting) {
        StoreTransaction transaction = store.begin(epoch.getAsLong());
        var key = Schema.SEQUENCES.key(sequence);
        transaction
                .read(List.of(Read.exclusive(key)), 0)
                .thenCompose(rows -> {
                    Row row = rows.get(0);
                    if (row == null) {
                        throw NotFormatted.exception();
                    }
                    long first = row.int64(0);
                    return transaction
                            .commit(List.of(new Mutation.Put(new Row(key, first + BLOCK))), Long.MAX_VALUE)
                            .thenApply(committed -> first);
                })
                .whenComplete((first, error) -> {
                    transaction.abort();
                    refilled(waiting, first, error);
                });
    }

    private void refilled(CompletableFuture<Void> waiting, @Nullable Long first, @Nullable Throwable error) {
        synchronized (this) {
            refill = null;
            if (first != null) {
                next = first;
                end = first + BLOCK;
            }
        }
        if (error == null) {
            waiting.complete(null);
        } else {
            waiting.completeExceptionally(error);
        }
    }
}
