package io.lambdafs.store;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * What keeps rows under a {@link LockingStore}, which adds locks, transactions and fences. An engine sees only batches that are
 * atomic in themselves. Thread-safe. Failures are {@code FsException}s.
 */
public interface RowEngine extends AutoCloseable {
    /** Committed rows at one moment, in the order of the keys; null where there is none. */
    CompletionStage<List<@Nullable Row>> read(List<Key> keys);

    /** A page at one moment. */
    CompletionStage<List<Row>> scan(Scan scan);

    /**
     * Makes some changes durable and visible at once, or none, each seeing those before it in the list. When the stage completes,
     * every later read sees them.
     *
     * @param deadlineMillis checked when the changes are about to be made
     */
    CompletionStage<Void> apply(List<Mutation> mutations, long deadlineMillis);

    /** Takes a snapshot, as {@link MetadataStore#openSnapshot} says; an engine that can take none fails {@code UNSUPPORTED}. */
    default CompletionStage<RowSnapshot> snapshot() {
        return CompletableFuture.failedFuture(RowSnapshot.unsupported());
    }

    /** A transaction has locked rows for writing, so an {@link #apply} is likely soon. A hint; must not block. */
    default void expectChanges() {}

    /** Ends the engine, after what was accepted is durable. */
    @Override
    void close();
}
