package io.lambdafs.client.sharing;

import io.lambdafs.client.tcp.ConnectionTable;
import io.lambdafs.client.tcp.InstanceConnection;
import io.lambdafs.client.tcp.TcpOffer;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Scheduler;
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
 * This process's part in the sharing of connections between processes of one user: it borrows those of the process that lends, or lends
 * its own where there is none; and seeks again, meanwhile with connections of its own alone, when that process has gone. Thread-safe.
 */
public final class Sharing {
    /** How long first operations wait for it to be known who lends, and each step of a greeting for its answer. */
    public static final Duration PATIENCE = Duration.ofMillis(250);

    private static final Duration FIRST_RETRY = Duration.ofMillis(20);
    private static final Duration LONGEST_RETRY = Duration.ofSeconds(10);
    private static final Logger LOG = LoggerFactory.getLogger(Sharing.class);

    /** What it is made of. */
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

    /** Seeks who lends; called once this process's TCP server listens. */
    public void start() {
        try {
            context.scheduler().schedule(PATIENCE.toNanos(), this::settle);
            context.scheduler().execute(this::seek);
        } catch (FsException full) {
            settle();
        }
    }

    /** Completes when it is known who lends, or has taken too long; never fails. */
    public CompletionStage<Void> settled() {
        return settled;
    }

    public boolean isSettled() {
        return settled.isDone();
    }

    /** Goes on without. */
    public void settle() {
        settled.complete(null);
    }

    /** The connections that another process lends. */
    public ConnectionTable borrowed() {
        return borrowed;
    }

    /** An invitation to the TCP server of the process that lends; null where there is none, or it has more than enough to do. */
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

    /** The connections of this process have become more or fewer. */
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
                // Nobody listens. Files are for the pool: this may be an event loop.
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

    /** The process that lent has gone, or has not been heard of, or there was none to be had. */
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
            // Another process is about to listen, or to end.
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

    /** Neither lends nor borrows any more. Idempotent. */
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
