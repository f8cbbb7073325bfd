package io.lambdafs.store.engine;

import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.lock.LockTable;
import java.util.Optional;

/** A store served to other processes, with the state shown on its metrics and health pages. Thread-safe. */
public interface ServedStore extends MetadataStore {
    /** Returns the number of transactions that have made a call and not ended. */
    int openTransactions();

    LockTable.Statistics lockStatistics();

    /** Returns whether it is serving, rather than standing by to take over from another process. */
    default boolean serves() {
        return true;
    }

    /** Returns in words why it takes no commits; empty if it does. */
    Optional<String> trouble();
}
