package io.lambdafs.store.server;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.message.Done;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.store.GuardedCommit;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Scan;
import io.lambdafs.store.StoreTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A transaction at a store server, bound to the connection of its first call. Thread-safe. */
final class RemoteTransaction implements StoreTransaction {
    /** The state in which a successful call leaves the transaction. */
    private enum Ending {
        NONE,
        READ,
        COMMIT
    }

    private final StoreLink link;
    private final long id;
    private final long epoch;
    /** Counts this transaction while the server may hold locks for it. */
    private final AtomicInteger open;

    private boolean begun;
    private boolean calling;
    /**
     * Tells whether the current or last call ends the transaction, and whether by a commit, whose outcome only the
     * server knows.
     */
    private Ending ending = Ending.NONE;

    private @Nullable Connection connection;
    /** Why it is over; set once. */
    private @Nullable Throwable over;

    RemoteTransaction(StoreLink link, long id, long epoch, AtomicInteger open) {
        this.open = open;
        this.link = link;
        this.id = id;
        this.epoch = epoch;
    }

    @Override
    public CompletionStage<List<@Nullable Row>> read(List<Read> reads, long lockWaitNanos) {
        List<Read> copy = List.copyOf(reads);
        return call(name -> new StoreMessage.ReadRows(name, copy, lockWaitNanos), this::collect, Ending.NONE);
    }

    @Override
    public CompletionStage<List<@Nullable Row>> readAndEnd(List<Read> reads, long lockWaitNanos) {
        List<Read> copy = List.copyOf(reads);
        return call(name -> new StoreMessage.ReadAndEnd(name, copy, lockWaitNanos), this::collect, Ending.READ);
    }

    @Override
    public CompletionStage<List<Row>> scan(Scan scan) {
        return call(name -> new StoreMessage.ScanRows(name, scan), this::collect, Ending.NONE);
    }

    @Override
    public CompletionStage<Void> commit(List<Mutation> mutations, long deadlineMillis) {
        List<Mutation> copy = List.copyOf(mutations);
        return call(
                name -> new StoreMessage.Commit(name, copy, deadlineMillis),
                (sentOn, reply) -> {
                    StoreClient.expectDone(reply);
                    return CompletableFuture.completedFuture(null);
                },
                Ending.COMMIT);
    }

    @Override
    public CompletionStage<Optional<List<@Nullable Row>>> commitIf(GuardedCommit guarded) {
        return call(
                name -> new StoreMessage.CommitIf(name, guarded),
                (sentOn, reply) -> {
                    if (reply instanceof Done) {
                        return CompletableFuture.completedFuture(Optional.empty());
                    }
                    goesOn();
                    return collect(sentOn, reply).thenApply(Optional::of);
                },
                Ending.COMMIT);
    }

    /** Notes that the current call did not end the transaction after all. */
    private synchronized void goesOn() {
        ending = Ending.NONE;
    }

    /** Turns the reply of a call into its result. */
    private interface Answer<T> {
        CompletionStage<T> of(Connection sentOn, Message reply);
    }

    private CompletionStage<List<@Nullable Row>> collect(Connection sentOn, Message reply) {
        return collect(sentOn, reply, List.of());
    }

    private CompletionStage<List<@Nullable Row>> collect(Connection sentOn, Message reply, List<@Nullable Row> before) {
        if (reply instanceof Failed failed) {
            throw StoreClient.exception(failed);
        }
        if (!(reply instanceof StoreMessage.FoundRows found)) {
            throw StoreClient.unexpected(reply);
        }
        if (!found.more() && before.isEmpty()) {
            return CompletableFuture.completedFuture(found.rows());
        }
        List<@Nullable Row> rows = new ArrayList<>(before);
        rows.addAll(found.rows());
        return found.more()
                ? sentOn.request(new StoreMessage.MoreRows(id), link.callLimitNanos())
                        .thenCompose(next -> collect(sentOn, next, rows))
                : CompletableFuture.completedFuture(rows);
    }

    private <T> CompletionStage<T> call(
            Function<StoreMessage.Name, StoreMessage> message, Answer<T> answer, Ending how) {
        CompletionStage<Connection> at;
        StoreMessage.Name name;
        synchronized (this) {
            if (over != null) {
                return CompletableFuture.failedFuture(over);
            }
            if (calling) {
                return CompletableFuture.failedFuture(
                        new IllegalStateException("a transaction makes one call at a time"));
            }
            calling = true;
            ending = how;
            name = new StoreMessage.Name(id, !begun, epoch);
            if (!begun) {
                open.incrementAndGet();
            }
            begun = true;
            at = connection == null ? link.connection() : CompletableFuture.completedFuture(connection);
        }
        CompletableFuture<T> result = new CompletableFuture<>();
        at.thenCompose(open -> send(open, message.apply(name), answer)).whenComplete((value, thrown) -> {
            Throwable why = leave(thrown);
            if (why == null) {
                result.complete(value);
            } else {
                result.completeExceptionally(why);
            }
        });
        return result;
    }

    private <T> CompletionStage<T> send(Connection open, StoreMessage message, Answer<T> answer) {
        synchronized (this) {
            if (over != null) {
                return CompletableFuture.failedFuture(over);
            }
            connection = open;
        }
        if (!open.isOpen()) {
            throw FsException.unavailable(
                    "the connection to the store was lost and the transaction with it; try again");
        }
        return open.request(message, link.callLimitNanos()).thenCompose(reply -> answer.of(open, reply));
    }

    /** Ends a call; returns its failure, which ends the transaction. */
    private @Nullable Throwable leave(@Nullable Throwable thrown) {
        Connection at;
        Throwable why;
        synchronized (this) {
            calling = false;
            if (thrown == null) {
                if (ending != Ending.NONE) {
                    over = ended();
                    open.decrementAndGet();
                    return null;
                }
                return over;
            }
            if (over != null) {
                return over;
            }
            why = meaning(thrown);
            over = why;
            at = connection;
        }
        if (at != null && FsException.of(thrown).code() == ErrorCode.TIMED_OUT) {
            link.doubt(at);
        }
        // The server has ended it too, unless only its answer was lost.
        if (at != null && at.isOpen() && why instanceof FsException e && e.code() == ErrorCode.UNAVAILABLE) {
            abort(at);
        } else {
            open.decrementAndGet();
        }
        return why;
    }

    private Throwable meaning(Throwable thrown) {
        Throwable cause = FsException.unwrap(thrown);
        if (!(cause instanceof FsException e)) {
            return cause;
        }
        boolean lost = e.code() == ErrorCode.CONNECTION_LOST || e.code() == ErrorCode.TIMED_OUT;
        return ending == Ending.COMMIT && lost
                ? new FsException(
                        ErrorCode.CONNECTION_LOST,
                        "the store's answer to a commit was lost, it may have happened: " + e.getMessage(),
                        e)
                : StoreClient.unreached(e);
    }

    @Override
    public void abort() {
        Connection at;
        synchronized (this) {
            if (over != null || ending == Ending.COMMIT) {
                return;
            }
            over = ended();
            at = connection;
            if (!begun) {
                return;
            }
        }
        if (at != null && at.isOpen()) {
            abort(at);
        } else {
            open.decrementAndGet();
        }
    }

    private void abort(Connection at) {
        at.request(new StoreMessage.Abort(id), link.callLimitNanos())
                .whenComplete((done, failure) -> open.decrementAndGet());
    }

    private static FsException ended() {
        return new FsException(ErrorCode.STORE_CONFLICT, "the transaction has ended; begin another one");
    }
}
