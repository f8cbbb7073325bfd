package io.lambdafs.store.engine;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.store.LockMode;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Scan;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.lock.LockTable;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A transaction of a {@link LockingStore}. Its states are NEW, OPEN, COMMITTING, OVER: it can be ended from outside
 * until its commit is handed to the engine, which then alone decides the outcome. Thread-safe.
 */
final class LockingTransaction implements StoreTransaction {
    private enum State {
        /** No call yet. */
        NEW,
        /** May hold locks. */
        OPEN,
        /** The engine has the changes; locks are held until they are durable. */
        COMMITTING,
        /** The locks are released. */
        OVER
    }

    private final LockingStore store;
    private final long epoch;
    private final LockTable.Owner owner;
    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private State state = State.NEW;
    private boolean calling;
    private long since;
    private @Nullable Throwable failure;

    LockingTransaction(LockingStore store, long epoch) {
        this.store = store;
        this.epoch = epoch;
        this.owner = store.locks().owner();
    }

    long epoch() {
        return epoch;
    }

    /** Returns the monotonic time of the first call, in nanoseconds. */
    long since() {
        return since;
    }

    @Override
    public CompletionStage<List<@Nullable Row>> read(List<Read> reads, long lockWaitNanos) {
        List<Read> copy = List.copyOf(reads);
        long wait = lockWaitNanos == 0 ? store.limits().lockWait().toNanos() : lockWaitNanos;
        return call(() -> store.locks().acquire(owner, copy, wait).thenCompose(locked -> rows(copy)));
    }

    private CompletionStage<List<@Nullable Row>> rows(List<Read> locked) {
        if (locked.stream().anyMatch(read -> read.lock() == LockMode.EXCLUSIVE)) {
            store.engine().expectChanges();
        }
        return store.engine().read(locked.stream().map(Read::key).toList());
    }

    @Override
    public CompletionStage<List<Row>> scan(Scan scan) {
        return call(() -> store.engine().scan(scan));
    }

    @Override
    public CompletionStage<Void> commit(List<Mutation> mutations, long deadlineMillis) {
        List<Mutation> copy = List.copyOf(mutations);
        try {
            enter();
            check(copy);
            beginCommit();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(fail(e));
        }
        CompletableFuture<Void> result = new CompletableFuture<>();
        hand(copy, deadlineMillis).whenComplete((done, thrown) -> {
            finish(thrown == null ? ended() : thrown);
            if (thrown == null) {
                result.complete(null);
            } else {
                result.completeExceptionally(FsException.unwrap(thrown));
            }
        });
        return result;
    }

    private CompletionStage<Void> hand(List<Mutation> mutations, long deadlineMillis) {
        try {
            if (!mutations.isEmpty()) {
                return store.engine().apply(mutations, deadlineMillis);
            }
            if (store.scheduler().currentTimeMillis() > deadlineMillis) {
                return CompletableFuture.failedFuture(tooLate());
            }
            return CompletableFuture.completedFuture(null);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static FsException tooLate() {
        return new FsException(
                ErrorCode.DEADLINE_EXCEEDED, "the deadline of the commit has passed; nothing was changed");
    }

    @Override
    public void abort() {
        end(ended());
    }

    /** Ends the transaction unless its commit is under way or it is over. */
    void end(Throwable why) {
        if (condemn(why)) {
            free(why);
        }
    }

    /** Completes when the transaction is over and its locks are released; never fails. */
    CompletableFuture<Void> over() {
        return over;
    }

    private <T> CompletionStage<T> call(Supplier<CompletionStage<T>> body) {
        CompletionStage<T> stage;
        try {
            enter();
            stage = body.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(fail(e));
        }
        CompletableFuture<T> result = new CompletableFuture<>();
        stage.whenComplete((value, thrown) -> {
            Throwable why = thrown == null ? leave() : fail(FsException.unwrap(thrown));
            if (why == null) {
                result.complete(value);
            } else {
                result.completeExceptionally(why);
            }
        });
        return result;
    }

    private void enter() {
        synchronized (this) {
            if (calling) {
                throw new IllegalStateException("a transaction makes one call at a time");
            }
            if (state == State.OPEN) {
                calling = true;
                return;
            }
            if (state != State.NEW) {
                throw ended();
            }
            state = State.OPEN;
            calling = true;
            since = store.scheduler().nanoTime();
        }
        store.admit(this);
    }

    /** Ends a successful call; returns a failure if the transaction was ended meanwhile, else null. */
    private synchronized @Nullable Throwable leave() {
        calling = false;
        return failure;
    }

    /** Ends the transaction after a failed call; returns the failure to report. */
    private Throwable fail(Throwable why) {
        if (why instanceof IllegalStateException) {
            return why; // A concurrent second call; the first one goes on.
        }
        end(why);
        synchronized (this) {
            calling = false;
            return failure == null ? why : failure;
        }
    }

    private synchronized void beginCommit() {
        if (state != State.OPEN) {
            throw ended();
        }
        // Not left to the timer, which is late after a pause of the process: the caller has given up by now.
        if (store.scheduler().nanoTime() - since
                > store.limits().transactionLimit().toNanos()) {
            throw OpenTransactions.tooLong(store.limits());
        }
        state = State.COMMITTING;
    }

    private void check(List<Mutation> mutations) {
        for (Mutation mutation : mutations) {
            if (mutation instanceof Mutation.Merge merge) {
                Deltas.check(merge);
            } else if (store.locks().held(owner, mutation.key()) == LockMode.SHARED) {
                throw new IllegalArgumentException("changed under a shared lock: " + mutation.key());
            }
        }
    }

    /** Makes all calls fail, including current ones; if this returns true, the caller must release the locks. */
    synchronized boolean condemn(Throwable why) {
        if (state == State.COMMITTING || state == State.OVER) {
            return false;
        }
        state = State.OVER;
        failure = why;
        return true;
    }

    private void finish(Throwable why) {
        synchronized (this) {
            state = State.OVER;
            failure = why;
            calling = false;
        }
        free(why);
    }

    /** Releases the locks of a condemned transaction. */
    void free(Throwable why) {
        store.locks().abort(owner, why);
        store.ended(this);
        over.complete(null);
    }

    /** Returns the failure of a call after the end, unless {@link #fail} has a specific reason. */
    private static FsException ended() {
        return new FsException(ErrorCode.STORE_CONFLICT, "the transaction has ended; begin another one");
    }
}
