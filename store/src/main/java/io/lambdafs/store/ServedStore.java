package io.lambdafs.store;

import java.util.Optional;

/** A store that a process serves to others, with what its metrics and its health page show. Thread-safe. */
public interface ServedStore extends MetadataStore {
    /** Transactions that have made a call and have not ended. */
    int openTransactions();

    LockTable.Statistics lockStatistics();

    /** Returns whether it serves, rather than wait to take the place of another process. */
    default boolean serves() {
        return true;
    }

    /** Says in words why it takes no commits; empty where it does. */
    Optional<String> trouble();
}
