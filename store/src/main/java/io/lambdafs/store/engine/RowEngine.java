package io.lambdafs.store.engine;

import io.lambdafs.store.Key;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.RowSnapshot;
import io.lambdafs.store.Scan;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The SPI of a storage engine under a {@link LockingStore}, which adds locks, transactions and fences; an engine sees
 * only atomic batches. Thread-safe. Failures are {@code FsException}s.
 */
public interface RowEngine extends AutoCloseable {
    /** Reads committed rows at one moment, in the order of the keys; null for a missing row. */
    CompletionStage<List<@Nullable Row>> read(List<Key> keys);

    /** Reads a page at one moment. */
    CompletionStage<List<Row>> scan(Scan scan);

    /**
     * Makes all changes durable and visible atomically, or none; each sees those before it in the list. Once the stage
     * completes, every later read sees them.
     *
     * @param deadlineMillis checked just before the changes are made
     */
    CompletionStage<Void> apply(List<Mutation> mutations, long deadlineMillis);

    /**
     * Takes a snapshot as specified by {@link MetadataStore#openSnapshot}; fails {@code UNSUPPORTED} if the engine
     * cannot.
     */
    default CompletionStage<RowSnapshot> snapshot() {
        return CompletableFuture.failedFuture(RowSnapshot.unsupported());
    }

    /**
     * Hints that an {@link #apply} is likely soon, because a transaction has locked rows for writing. Must not block.
     */
    default void expectChanges() {}

    /** Ends the engine once accepted changes are durable. */
    @Override
    void close();
}
