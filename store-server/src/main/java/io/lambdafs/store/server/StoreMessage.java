package io.lambdafs.store.server;

import io.lambdafs.rpc.message.Message;
import io.lambdafs.store.GuardedCommit;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.RowSum;
import io.lambdafs.store.Scan;
import io.lambdafs.store.SnapshotScan;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages between clients and servers of the store.
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
 *   | -- SumSnapshot --------------------> |  of any connection
 *   | <- SummedRows ---------------------- |
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
     * @param epoch of the instance it runs for, or 0
     */
    record Name(long id, boolean first, long epoch) {}

    record ReadRows(Name transaction, List<Read> reads, long lockWaitNanos) implements Request {
        public ReadRows {
            reads = List.copyOf(reads);
        }

        @Override
        public <C> void accept(Visitor<C> visitor, C context) {
            visitor.readRows(this, context);
        }
    }

    record ReadAndEnd(Name transaction, List<Read> reads, long lockWaitNanos) implements Request {
        public ReadAndEnd {
            reads = List.copyOf(reads);
        }

        @Override
        public <C> void accept(Visitor<C> visitor, C context) {
            visitor.readAndEnd(this, context);
        }
    }

    record ScanRows(Name transaction, Scan scan) implements Request {
        @Override
        public <C> void accept(Visitor<C> visitor, C context) {
            visitor.scanRows(this, context);
        }
    }

    record MoreRows(long transaction) implements Request {
        @Override
        public <C> void accept(Visitor<C> visitor, C context) {
            visitor.moreRows(this, context);
        }
    }

    record Commit(Name transaction, List<Mutation> mutations, long deadlineMillis) implements Request {
        public Commit {
            mutations = List.copyOf(mutations);
        }

        @Override
        public <C> void accept(Visitor<C> visitor, C context) {
            visitor.commit(this, context);
        }
    }

    record CommitIf(Name transaction, GuardedCommit commit) implements Request {
        @Override
        public <C> void accept(Visitor<C> visitor, C context) {
            visitor.commitIf(this, context);
        }
    }

    record Abort(long transaction) implements Request {
        @Override
        public <C> void accept(Visitor<C> visitor, C context) {
            visitor.abort(this, context);
        }
    }

    record Fence(long epoch) implements Request {
        @Override
        public <C> void accept(Visitor<C> visitor, C context) {
            visitor.fence(this, context);
        }
    }

    /**
     * Ends the earlier connections of the same client: nothing received on them, now or later, takes effect any more,
     * except commits already being written.
     *
     * @param client a unique, unguessable name
     */
    record Supersede(String client) implements StoreMessage {}

    record OpenSnapshot() implements Request {
        @Override
        public <C> void accept(Visitor<C> visitor, C context) {
            visitor.openSnapshot(this, context);
        }
    }

    record SnapshotOpen(String name) implements StoreMessage {}

    record ScanSnapshot(SnapshotScan scan) implements Request {
        @Override
        public <C> void accept(Visitor<C> visitor, C context) {
            visitor.scanSnapshot(this, context);
        }
    }

    record SumSnapshot(SnapshotScan scan, int most) implements Request {
        @Override
        public <C> void accept(Visitor<C> visitor, C context) {
            visitor.sumSnapshot(this, context);
        }
    }

    record SummedRows(RowSum sum) implements StoreMessage {}

    record CloseSnapshot(String name) implements Request {
        @Override
        public <C> void accept(Visitor<C> visitor, C context) {
            visitor.closeSnapshot(this, context);
        }
    }

    /**
     * Rows, null for missing ones.
     *
     * @param more whether there are more, to be requested by {@link MoreRows}
     */
    record FoundRows(List<@Nullable Row> rows, boolean more) implements StoreMessage {
        public FoundRows {
            rows = Collections.unmodifiableList(rows);
        }
    }

    /** A request within a session, unlike {@link Supersede}, which concerns connections. */
    sealed interface Request extends StoreMessage {
        <C> void accept(Visitor<C> visitor, C context);
    }

    /** One method per request, each taking a context of the caller's choice. */
    interface Visitor<C> {
        void readRows(ReadRows request, C context);

        void readAndEnd(ReadAndEnd request, C context);

        void scanRows(ScanRows request, C context);

        void moreRows(MoreRows request, C context);

        void commit(Commit request, C context);

        void commitIf(CommitIf request, C context);

        void abort(Abort request, C context);

        void fence(Fence request, C context);

        void openSnapshot(OpenSnapshot request, C context);

        void scanSnapshot(ScanSnapshot request, C context);

        void sumSnapshot(SumSnapshot request, C context);

        void closeSnapshot(CloseSnapshot request, C context);
    }
}
