package io.lambdafs.store.server;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.message.Done;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.StoreTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The server's side of one connection: its transactions and snapshots. Thread-safe. */
final class StoreSession {
    /** Maximum transactions per connection, including those whose end the client has not yet been told. */
    static final int MAX_TRANSACTIONS = 20_000;

    private static final int CHUNK_BYTES = 1 << 20;

    /** A transaction and the rest of its last answer that did not fit in a frame. */
    private static final class Open {
        final StoreTransaction transaction;
        List<@Nullable Row> rest = List.of();
        /** True if the transaction ends with this answer. */
        volatile boolean isLast;

        Open(StoreTransaction transaction) {
            this.transaction = transaction;
        }

        /** Returns as many rows as fit in a frame, at least one; keeps the rest. */
        synchronized StoreMessage.FoundRows chunk(List<@Nullable Row> rows) {
            int count = 0;
            int bytes = 0;
            while (count < rows.size() && bytes < CHUNK_BYTES) {
                Row row = rows.get(count++);
                bytes += row == null ? 1 : row.estimatedBytes();
            }
            rest = rows.subList(count, rows.size());
            return new StoreMessage.FoundRows(new ArrayList<>(rows.subList(0, count)), !rest.isEmpty());
        }

        synchronized StoreMessage.FoundRows next() {
            return chunk(rest);
        }
    }

    private final MetadataStore store;
    private final ChangedBytes changedBytes;
    private final Runnable expectRequest;
    private final ConcurrentMap<Long, Open> open = new ConcurrentHashMap<>();
    private final Steps steps = new Steps();
    private volatile boolean closed;
    private volatile String client = "";

    /**
     * Creates a session without transactions.
     *
     * @param changedBytes of all sessions of the store
     * @param expectRequest called on replies likely to be followed by another request
     */
    StoreSession(MetadataStore store, ChangedBytes changedBytes, Runnable expectRequest) {
        this.store = store;
        this.changedBytes = changedBytes;
        this.expectRequest = expectRequest;
    }

    /** Sets the name of its client. */
    void client(String name) {
        client = name;
    }

    String client() {
        return client;
    }

    void request(StoreMessage.Request request, Consumer<Message> reply) {
        try {
            request.accept(steps, reply);
        } catch (RuntimeException e) {
            reply.accept(failed(e));
        }
    }

    /** Handles each request. */
    private final class Steps implements StoreMessage.Visitor<Consumer<Message>> {
        @Override
        public void readRows(StoreMessage.ReadRows read, Consumer<Message> reply) {
            Open at = at(read.transaction());
            rows(read.transaction(), at, at.transaction.read(read.reads(), read.lockWaitNanos()), reply);
        }

        @Override
        public void readAndEnd(StoreMessage.ReadAndEnd read, Consumer<Message> reply) {
            Open at = at(read.transaction());
            at.isLast = true;
            rows(read.transaction(), at, at.transaction.readAndEnd(read.reads(), read.lockWaitNanos()), reply);
        }

        @Override
        public void scanRows(StoreMessage.ScanRows scan, Consumer<Message> reply) {
            Open at = at(scan.transaction());
            rows(scan.transaction(), at, at.transaction.scan(scan.scan()), reply);
        }

        @Override
        public void moreRows(StoreMessage.MoreRows more, Consumer<Message> reply) {
            Open at = open.get(more.transaction());
            reply.accept(at == null ? failed(ended()) : told(more.transaction(), at, at.next()));
        }

        @Override
        public void commit(StoreMessage.Commit commit, Consumer<Message> reply) {
            StoreMessage.Name name = commit.transaction();
            Open at = at(name);
            Consumer<Message> counted = counted(name, at, commit.mutations(), reply);
            CompletionStage<Void> done = at.transaction.commit(commit.mutations(), commit.deadlineMillis());
            done.whenComplete((nothing, thrown) -> {
                open.remove(name.id());
                answer(counted, thrown);
            });
        }

        @Override
        public void commitIf(StoreMessage.CommitIf guarded, Consumer<Message> reply) {
            StoreMessage.Name name = guarded.transaction();
            Open at = at(name);
            Consumer<Message> counted = counted(name, at, guarded.commit().mutations(), reply);
            at.transaction.commitIf(guarded.commit()).whenComplete((rows, thrown) -> {
                if (thrown == null && rows.isPresent()) {
                    counted.accept(at.chunk(rows.get()));
                } else {
                    open.remove(name.id());
                    answer(counted, thrown);
                }
            });
        }

        @Override
        public void abort(StoreMessage.Abort abort, Consumer<Message> reply) {
            Open at = open.remove(abort.transaction());
            if (at != null) {
                at.transaction.abort();
            }
            reply.accept(Done.DONE);
        }

        @Override
        public void fence(StoreMessage.Fence fence, Consumer<Message> reply) {
            store.fence(fence.epoch()).whenComplete((nothing, thrown) -> answer(reply, thrown));
        }

        @Override
        public void openSnapshot(StoreMessage.OpenSnapshot request, Consumer<Message> reply) {
            answer(reply, store.openSnapshot(), StoreMessage.SnapshotOpen::new);
        }

        @Override
        public void scanSnapshot(StoreMessage.ScanSnapshot page, Consumer<Message> reply) {
            answer(reply, store.scanSnapshot(page.scan()), rows -> new StoreMessage.FoundRows(rows, false));
        }

        @Override
        public void sumSnapshot(StoreMessage.SumSnapshot rows, Consumer<Message> reply) {
            answer(reply, store.sumSnapshot(rows.scan(), rows.most()), StoreMessage.SummedRows::new);
        }

        @Override
        public void closeSnapshot(StoreMessage.CloseSnapshot close, Consumer<Message> reply) {
            answer(reply, store.closeSnapshot(close.name()), closed -> Done.DONE);
        }
    }

    private static <T extends @Nullable Object> void answer(
            Consumer<Message> reply, CompletionStage<T> found, Function<T, Message> message) {
        found.whenComplete((value, thrown) -> reply.accept(thrown == null ? message.apply(value) : failed(thrown)));
    }

    /** Returns the consumer for the answer to changes; ends their transaction if they exceed the limit. */
    private Consumer<Message> counted(
            StoreMessage.Name name, Open at, List<Mutation> changes, Consumer<Message> reply) {
        try {
            return changedBytes.until(reply, changes);
        } catch (FsException full) {
            open.remove(name.id());
            at.transaction.abort();
            throw full;
        }
    }

    /** Forgets an ended transaction once its last rows are sent. */
    private StoreMessage.FoundRows told(long id, Open at, StoreMessage.FoundRows rows) {
        if (at.isLast && !rows.more()) {
            open.remove(id);
        }
        return rows;
    }

    private void rows(
            StoreMessage.Name name, Open at, CompletionStage<? extends List<Row>> found, Consumer<Message> reply) {
        found.whenComplete((rows, thrown) -> {
            if (thrown == null) {
                reply.accept(told(name.id(), at, at.chunk(rows)));
                if (!at.isLast) {
                    expectRequest.run();
                }
            } else {
                open.remove(name.id());
                reply.accept(failed(thrown));
            }
        });
    }

    private Open at(StoreMessage.Name name) {
        if (!name.first()) {
            Open known = open.get(name.id());
            if (known == null) {
                throw ended();
            }
            return known;
        }
        if (open.size() >= MAX_TRANSACTIONS) {
            throw FsException.unavailable(
                    "this connection has " + MAX_TRANSACTIONS + " open transactions already; try again later");
        }
        Open begun = new Open(store.begin(name.epoch()));
        if (open.putIfAbsent(name.id(), begun) != null) {
            throw new IllegalArgumentException("a transaction " + name.id() + " is open already");
        }
        if (closed) {
            begun.transaction.abort();
        }
        return begun;
    }

    private static FsException ended() {
        return new FsException(ErrorCode.STORE_CONFLICT, "the transaction has ended; begin another one");
    }

    private static void answer(Consumer<Message> reply, @Nullable Throwable thrown) {
        reply.accept(thrown == null ? Done.DONE : failed(thrown));
    }

    /** Encodes a failure; an illegal argument travels as INVALID_ARGUMENT and is restored at the client. */
    private static Failed failed(Throwable thrown) {
        Throwable cause = FsException.unwrap(thrown);
        return cause instanceof IllegalArgumentException
                ? new Failed(ErrorCode.INVALID_ARGUMENT, String.valueOf(cause.getMessage()))
                : Failed.of(cause);
    }

    /** Aborts all transactions and any later requests; no client is left to be told. */
    void close() {
        closed = true;
        open.values().forEach(at -> at.transaction.abort());
    }
}
