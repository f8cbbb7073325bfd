package io.lambdafs.store;

import java.util.concurrent.CompletionStage;

/**
 * The transactional store (the paper's §3.1; HopsFS's data access layer, narrowed). Thread-safe. Implementations: in memory,
 * embedded RocksDB, and the client of a server that has one of them.
 */
public interface MetadataStore extends AutoCloseable {
    /**
     * Begins a transaction; nothing is sent before its first call. An engine that places a transaction near its rows learns from
     * the first key of that call which partition that is.
     *
     * @param epoch of the instance on whose behalf it runs; 0 for clients and services that have none. {@link #fence} ends the
     *     open transactions of an epoch.
     */
    StoreTransaction begin(long epoch);

    /**
     * Aborts the open transactions of an epoch, removes its rows from {@link Schema#INSTANCES} and {@link Schema#EPOCHS}, durably,
     * and refuses further transactions of it. Idempotent. When this completes nothing of that epoch can commit any more.
     */
    CompletionStage<Void> fence(long epoch);

    /** Ends connections and threads; of an embedded engine, after what was accepted is durable. */
    @Override
    void close();
}
