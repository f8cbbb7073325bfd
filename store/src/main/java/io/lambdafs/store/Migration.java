package io.lambdafs.store;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * What becomes of the rows that are there before a store gets a {@link FormatLevel}, a step at a time. Each step is a transaction of its
 * own under the exclusive lock of {@link FormatLevel#KEY}; the level is raised by one that finds nothing left to do. So after whatever crash
 * the store has the level before with some rows migrated, and a repeated {@link Upgrade#raise} goes on; or the new level with all of them.
 *
 * <p>Until then instances of this build serve at the level before: they read rows of both forms, and write those that a migration changes
 * under the shared lock of that key, so that none comes after the last step. Stateless.
 */
public interface Migration {
    /** The most changes of a step. */
    int MAX_CHANGES = 1_000;

    /** Of a level that only adds. */
    Migration NONE = transaction -> CompletableFuture.completedFuture(List.of());

    /**
     * Decides the next step by what the rows say, and nothing else: it is asked again after a crash, by another process.
     *
     * @param transaction to read by, and to take the exclusive locks of what changes; it is committed by the caller
     * @return at most {@value #MAX_CHANGES} changes; none where no row is left
     */
    CompletionStage<List<Mutation>> next(StoreTransaction transaction);
}
