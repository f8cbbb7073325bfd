package io.lambdafs.store.format;

import io.lambdafs.store.Mutation;
import io.lambdafs.store.StoreTransaction;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Migrates existing rows to a new {@link FormatLevel}, step by step. Each step is one transaction under the exclusive
 * lock of {@link FormatLevel#KEY}; the transaction that finds nothing left to do raises the level. After a crash the
 * store thus has either the old level with some rows migrated, and a repeated {@link Upgrade#raise} continues, or the
 * new level with all rows migrated.
 *
 * <p>Until then instances of this build serve at the old level: they read both forms, and write affected rows under the
 * shared lock of that key, so that none appears after the last step. Stateless.
 */
public interface Migration {
    /** Maximum number of changes per step. */
    int MAX_CHANGES = 1_000;

    /** The migration of a level that only adds. */
    Migration NONE = transaction -> CompletableFuture.completedFuture(List.of());

    /**
     * Decides the next step from the stored rows alone: after a crash another process calls it again.
     *
     * @param transaction for reading, with exclusive locks on the rows to change; committed by the caller
     * @return at most {@value #MAX_CHANGES} changes; empty if no row is left
     */
    CompletionStage<List<Mutation>> next(StoreTransaction transaction);
}
