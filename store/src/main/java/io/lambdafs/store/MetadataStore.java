package io.lambdafs.store;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The SPI of the transactional metadata store (the paper's §3.1; a narrowed form of HopsFS's data access layer).
 * Implemented by engines in memory, on RocksDB, on PostgreSQL and on MySQL NDB Cluster, and by the client of a store
 * server. Thread-safe.
 */
public interface MetadataStore extends AutoCloseable {
    /**
     * Begins a transaction; nothing is sent before its first call. The first key of that call tells an engine with
     * partitions where to place the transaction.
     *
     * @param epoch of the instance it runs for; 0 for clients and services without one. {@link #fence} ends the open
     *     transactions of an epoch.
     */
    StoreTransaction begin(long epoch);

    /**
     * Fences an epoch: aborts its open transactions, durably removes its rows from {@link Schema#INSTANCES} and {@link
     * Schema#EPOCHS}, and refuses its further transactions. Once this completes, nothing of that epoch can commit.
     * Idempotent.
     */
    CompletionStage<Void> fence(long epoch);

    /**
     * Reads the change log (PROTOCOL: C2). Positions follow commit order, and an entry becomes visible with its commit:
     * a reader that has read up to a position has missed nothing below it, and later entries are above it.
     *
     * <p>Every engine guarantees this: one server at a time holds the rows (PROTOCOL: D1) and assigns positions as it
     * writes a group of commits. A database that came back older has lost its last entries; the server that notices
     * ends the readable log there (PROTOCOL: D6), so that readers reread the namespace.
     *
     * @param after the last position read; {@link ChangeLog#START} for none
     * @param limit 1–{@value Scan#MAX_LIMIT} entries
     * @return entries in ascending positions, possibly with gaps; fails {@code NOT_FOUND} if entries after that
     *     position have already been removed
     */
    default CompletionStage<List<ChangeLog.Entry>> changes(long after, int limit) {
        return ChangeLog.read(this, after, limit);
    }

    /**
     * Opens a snapshot: all committed rows at one moment, unaffected by later commits. It contains every commit
     * acknowledged before this call, and each commit entirely or not at all; transactions continue meanwhile.
     *
     * <p>Engines that keep row versions (RocksDB, PostgreSQL) do this in constant memory. For NDB, which keeps none,
     * the server records what each commit replaces while a snapshot is open. An engine that can do neither fails {@code
     * UNSUPPORTED}, because a scan of changing rows is no snapshot.
     *
     * @return its name, by which any client may read it until {@link #closeSnapshot}, or until unused for {@link
     *     RowSnapshot#IDLE_LIMIT}; fails {@code UNAVAILABLE} if {@value RowSnapshot#MAX_OPEN} are open
     */
    default CompletionStage<String> openSnapshot() {
        return CompletableFuture.failedFuture(RowSnapshot.unsupported());
    }

    /**
     * Reads a page of a table in a snapshot, in key order; repeatable, from any connection.
     *
     * @return rows of about {@link RowSnapshot#PAGE_BYTES}; empty at the end. Fails {@code NOT_FOUND} if the snapshot
     *     no longer exists
     */
    default CompletionStage<List<Row>> scanSnapshot(SnapshotScan scan) {
        return CompletableFuture.failedFuture(RowSnapshot.unsupported());
    }

    /**
     * Sums up rows of a table in a snapshot, in key order, where the store is: they do not travel.
     *
     * @param scan the key after which they begin
     * @param most how many, 1 to {@link RowSnapshot#MAX_SUMMED}
     * @return fewer at the end of the table only; fails as {@link #scanSnapshot}
     */
    default CompletionStage<RowSum> sumSnapshot(SnapshotScan scan, int most) {
        return CompletableFuture.failedFuture(RowSnapshot.unsupported());
    }

    /** Closes a snapshot and frees what the engine keeps for it. Idempotent. */
    default CompletionStage<Void> closeSnapshot(String snapshot) {
        return CompletableFuture.failedFuture(RowSnapshot.unsupported());
    }

    /** Ends connections and threads; an embedded engine first makes accepted commits durable. */
    @Override
    void close();
}
