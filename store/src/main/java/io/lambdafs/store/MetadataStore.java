package io.lambdafs.store;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The transactional store (the paper's §3.1; HopsFS's data access layer, narrowed). Thread-safe. Implementations: engines in memory, on
 * RocksDB, on PostgreSQL and on MySQL NDB Cluster, and the client of a server that has one of them.
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

    /**
     * Reads the change log (PROTOCOL: C2). Positions are given in the order of the commits, and an entry is visible as soon as its commit
     * is: a reader that has read up to a position has missed nothing below it, and later entries are above it.
     *
     * <p>Every engine promises that: one server at a time has the rows (PROTOCOL: D1), and gives an entry its position in the group of commits
     * that it writes. A database that came back older has lost its last entries; the server that notices ends the log's readable part there
     * (PROTOCOL: D6), so that a reader reads the namespace anew.
     *
     * @param after the last position that has been read; {@link ChangeLog#START} for none
     * @param limit 1–{@value Scan#MAX_LIMIT} entries
     * @return entries in ascending positions, possibly with gaps; fails {@code NOT_FOUND} where entries after that position have been
     *     removed already
     */
    default CompletionStage<List<ChangeLog.Entry>> changes(long after, int limit) {
        return ChangeLog.read(this, after, limit);
    }

    /**
     * Opens a snapshot: all committed rows of one moment, which later commits leave as they are. Every commit that was answered before this
     * was called is in it, each commit is in it as a whole or not at all, and transactions go on beside it.
     *
     * <p>An engine that keeps versions of its rows (RocksDB, PostgreSQL) does that in constant memory. For NDB, which keeps none, the server writes
     * down what each commit replaces while a snapshot is open. One that can do neither answers {@code UNSUPPORTED}: a scan of what changes
     * meanwhile is none.
     *
     * @return its name, under which any client may read it until {@link #closeSnapshot}, or until nobody has for {@link
     *     RowSnapshot#IDLE_LIMIT}; fails {@code UNAVAILABLE} where {@value RowSnapshot#MAX_OPEN} are open
     */
    default CompletionStage<String> openSnapshot() {
        return CompletableFuture.failedFuture(RowSnapshot.unsupported());
    }

    /**
     * Reads a page of a table in a snapshot, in the order of the keys; it may be read again, and from any connection.
     *
     * @return rows of about {@link RowSnapshot#PAGE_BYTES}; none where no more follow. Fails {@code NOT_FOUND} where there is no such
     *     snapshot any more
     */
    default CompletionStage<List<Row>> scanSnapshot(SnapshotScan scan) {
        return CompletableFuture.failedFuture(RowSnapshot.unsupported());
    }

    /** Gives up a snapshot, and what the engine keeps for it. Idempotent. */
    default CompletionStage<Void> closeSnapshot(String snapshot) {
        return CompletableFuture.failedFuture(RowSnapshot.unsupported());
    }

    /** Ends connections and threads; of an embedded engine, after what was accepted is durable. */
    @Override
    void close();
}
