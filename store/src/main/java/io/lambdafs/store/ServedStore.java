package io.lambdafs.store;

import java.util.Optional;

/** A store that a process serves to others, with what its metrics and its health page show. Thread-safe. */
public interface ServedStore extends MetadataStore {
    /** Transactions that have made a call and have not ended. */
    int openTransactions();

    LockTable.Statistics lockStatistics();

    /** Whether it serves, rather than wait to take the place of another process. */
    default boolean serves() {
        return true;
    }

    /** What keeps it from taking commits, in words; empty where nothing does. */
    Optional<String> trouble();
}
