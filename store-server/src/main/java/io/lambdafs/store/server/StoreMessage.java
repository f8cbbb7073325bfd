package io.lambdafs.store.server;

import io.lambdafs.rpc.Message;
import io.lambdafs.store.GuardedCommit;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Scan;
import io.lambdafs.store.SnapshotScan;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What clients and servers of the store say.
 *
 * <pre>
 * client                                 server
 *   | -- ReadRows / ScanRows ------------> |  locks, reads
 *   | <- FoundRows (more) ---------------- |
 *   | -- MoreRows -----------------------> |  the rest of that answer, a frame at a time
 *   | <- FoundRows ----------------------- |
 *   | -- Commit / Abort / Fence ---------> |
 *   | <- Done ---------------------------- |  or Failed, of each
 *   | -- ReadAndEnd ---------------------> |  as ReadRows then Abort
 *   | <- FoundRows (more) ---------------- |
 *   | -- CommitIf -----------------------> |  as ReadRows, then Commit if the guards hold
 *   | <- Done, or FoundRows -------------- |
 *   | -- OpenSnapshot -------------------> |
 *   | <- SnapshotOpen -------------------- |
 *   | -- ScanSnapshot -------------------> |  of any connection
 *   | <- FoundRows ----------------------- |  none: no more follow
 *   | -- CloseSnapshot ------------------> |
 *   | <- Done ---------------------------- |
 *   | -- Supersede ----------------------> |  first of a connection: ends those that its client had before
 *   | <- Done ---------------------------- |
 * </pre>
 */
sealed interface StoreMessage extends Message {
    /**
     * Names a transaction.
     *
     * @param id chosen by the client, unique on its connection
     * @param first whether this message begins it
     * @param epoch of the instance on whose behalf it runs, or 0
     */
    record Name(long id, boolean first, long epoch) {}

    record ReadRows(Name transaction, List<Read> reads, long lockWaitNanos) implements StoreMessage {
        public ReadRows {
            reads = List.copyOf(reads);
        }
    }

    record ReadAndEnd(Name transaction, List<Read> reads, long lockWaitNanos) implements StoreMessage {
        public ReadAndEnd {
            reads = List.copyOf(reads);
        }
    }

    record ScanRows(Name transaction, Scan scan) implements StoreMessage {}

    record MoreRows(long transaction) implements StoreMessage {}

    record Commit(Name transaction, List<Mutation> mutations, long deadlineMillis) implements StoreMessage {
        public Commit {
            mutations = List.copyOf(mutations);
        }
    }

    record CommitIf(Name transaction, GuardedCommit commit) implements StoreMessage {}

    record Abort(long transaction) implements StoreMessage {}

    record Fence(long epoch) implements StoreMessage {}

    /**
     * Nothing that came, or comes yet, on an earlier connection of the same client happens any more, but for commits that are on their
     * way to the disk.
     *
     * @param client a name that nobody else has, or can guess
     */
    record Supersede(String client) implements StoreMessage {}

    record OpenSnapshot() implements StoreMessage {}

    record SnapshotOpen(String name) implements StoreMessage {}

    record ScanSnapshot(SnapshotScan scan) implements StoreMessage {}

    record CloseSnapshot(String name) implements StoreMessage {}

    /**
     * Rows, null where there is none.
     *
     * @param more whether the answer goes on: ask by {@link MoreRows}
     */
    record FoundRows(List<@Nullable Row> rows, boolean more) implements StoreMessage {
        public FoundRows {
            rows = Collections.unmodifiableList(rows);
        }
    }
}
