package io.lambdafs.client.sharing;

import io.lambdafs.client.tcp.ConnectionTable;
import io.lambdafs.client.tcp.InstanceConnection;
import io.lambdafs.client.tcp.TcpOffer;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.Transport;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This process's part in sharing connections between a user's processes: it borrows from the lending process, or lends
 * its own connections if there is none. When the lender is gone it looks for another, using only its own connections
 * meanwhile. Thread-safe.
 */
public final class Sharing {
    /** How long first operations wait for a lender to be found, and each step of a greeting for its reply. */
    public static final Duration PATIENCE = Duration.ofMillis(250);

    private static final Duration FIRST_RETRY = Duration.ofMillis(20);
    private static final Duration LONGEST_RETRY = Duration.ofSeconds(10);
    private static final Logger LOG = LoggerFactory.getLogger(Sharing.class);

    /** The dependencies of sharing. */
    public record Context(SharingPlace place, Scheduler scheduler, Transport transport, RandomGenerator secrets) {}

    private final Context context;
    private final OwnConnections own;
    private final ConnectionTable borrowed;
    private final CompletableFuture<Void> settled = new CompletableFuture<>();
    private volatile @Nullable Borrowing borrowing;
    private volatile @Nullable Lending lending;
    private volatile boolean closed;
    private Duration retryAfter = FIRST_RETRY;

    public Sharing(Context context, OwnConnections own) {
        this.context = context;
        this.own = own;
        this.borrowed = new ConnectionTable();
    }

    /** Looks for a lender; called once this process's TCP server is listening. */
    public void start() {
        try {
            context.scheduler().schedule(PATIENCE.toNanos(), this::settle);
            context.scheduler().execute(this::seek);
        } catch (FsException full) {
            settle();
        }
    }

    /** Completes when the lender is known or the search has taken too long; never fails. */
    public CompletionStage<Void> settled() {
        return settled;
    }

    public boolean isSettled() {
        return settled.isDone();
    }

    /** Continues without a lender. */
    public void settle() {
        settled.complete(null);
    }

    /** Returns the borrowed connections. */
    public ConnectionTable borrowed() {
        return borrowed;
    }

    /** Returns an offer of the lender's TCP server; null if there is none or it is overloaded. */
    public @Nullable TcpOffer offer(int deployment) {
        Borrowing now = borrowing;
        return now == null ? null : now.offer(deployment);
    }

    /** Takes a borrowed connection out of service. */
    public void giveUp(InstanceConnection hung) {
        Borrowing now = borrowing;
        if (now != null) {
            now.giveUp(hung);
        }
    }

    /** Called when this process's connections have changed. */
    public void changed() {
        Lending now = lending;
        if (now != null) {
            now.changed();
        }
    }

    private void seek() {
        if (closed) {
            return;
        }
        try {
            context.place().open();
        } catch (FsException refused) {
            LOG.warn("{}", refused.getMessage());
            settle();
            return;
        }
        Borrowing next = new Borrowing(context, own, borrowed);
        context.transport().connect(context.place().socket(), next).whenComplete((connection, nobody) -> {
            if (connection == null) {
                // No process listens. File access goes to the pool, because this may be an event loop.
                onPool(this::lend);
                return;
            }
            connection.closed().thenRun(() -> lost(next));
            next.greet(connection).whenComplete((done, thrown) -> greeted(next, thrown));
        });
    }

    private void onPool(Runnable step) {
        try {
            context.scheduler().execute(step);
        } catch (FsException full) {
            settle();
        }
    }

    private void greeted(Borrowing next, @Nullable Throwable thrown) {
        if (thrown != null) {
            LOG.info(
                    "Goes without the connections lent at {}: {}",
                    context.place(),
                    FsException.of(thrown).getMessage());
            settle();
            return;
        }
        synchronized (this) {
            borrowing = next;
            retryAfter = FIRST_RETRY;
        }
        LOG.info("Borrows the connections lent at {}", context.place());
        settle();
        if (closed || !next.isOpen()) {
            next.close();
            lost(next);
        }
    }

    /** Called when the lender is gone or silent, or none was found. */
    private void lost(Borrowing gone) {
        boolean wasUsed;
        synchronized (this) {
            wasUsed = borrowing == gone;
            if (wasUsed) {
                borrowing = null;
            }
        }
        if (wasUsed) {
            LOG.info("Connections are lent no more at {}", context.place());
            onPool(this::seek);
        } else if (!gone.wasGreeted()) {
            seekLater();
        }
    }

    private void seekLater() {
        long delay;
        synchronized (this) {
            delay = retryAfter.toNanos();
            Duration doubled = retryAfter.multipliedBy(2);
            retryAfter = doubled.compareTo(LONGEST_RETRY) < 0 ? doubled : LONGEST_RETRY;
        }
        try {
            context.scheduler().schedule(delay, () -> onPool(this::seek));
        } catch (FsException full) {
            settle();
        }
    }

    private void lend() {
        FileChannel lock;
        try {
            lock = context.place().tryLock();
        } catch (IOException e) {
            LOG.warn("Connections are not shared: cannot lock {}: {}", context.place(), e.toString());
            settle();
            return;
        }
        if (lock == null) {
            // Another process is about to listen or to end.
            seekLater();
            return;
        }
        Lending next = new Lending(context.place(), own, context.secrets());
        context.transport().listen(context.place().socket(), next).whenComplete((listener, thrown) -> {
            if (thrown == null) {
                lends(next, listener, lock);
            } else {
                LOG.warn(
                        "Connections are not shared: {}", FsException.of(thrown).getMessage());
                unlock(lock);
                settle();
            }
        });
    }

    private void lends(Lending next, Transport.LocalListener listener, FileChannel lock) {
        next.started(() -> listener.close().thenRun(() -> unlock(lock)));
        lending = next;
        next.changed();
        LOG.info("Lends its connections at {}", context.place());
        settle();
        if (closed) {
            next.close();
        }
    }

    private static void unlock(FileChannel lock) {
        try {
            lock.close();
        } catch (IOException e) {
            LOG.warn("Cannot give a lock back, which ends with this process: {}", e.toString());
        }
    }

    /** Stops lending and borrowing. Idempotent. */
    public void close() {
        closed = true;
        settle();
        Lending lends = lending;
        if (lends != null) {
            lends.close();
        }
        Borrowing borrows = borrowing;
        if (borrows != null) {
            borrows.close();
        }
    }
}
