package io.lambdafs.rpc.framing;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The memory of this process that the peers of all connections of a transport, or of an HTTP server, hold: bytes that
 * they do not read, and frames that they have sent in part. From three quarters of the limit on, a peer that holds some
 * is answered {@code OVERLOADED}, and one that does not move within 2 s is closed; at the limit, those that hold the
 * largest share for longest are closed. Thread-safe.
 */
public final class HeldBytes {
    private static final Logger LOG = LoggerFactory.getLogger(HeldBytes.class);
    private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    /** Added to every age, so that fresh bytes count by their size. */
    private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final long most;
    private final LongSupplier nanoTime;
    private final AtomicLong total = new AtomicLong();
    private final Set<Account> holding = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean looking = new AtomicBoolean();
    private volatile long lookedNanos;

    /** @param most maximum number of bytes that all may hold */
    public HeldBytes(long most) {
        this(most, System::nanoTime);
    }

    HeldBytes(long most, LongSupplier nanoTime) {
        this.most = most;
        this.nanoTime = nanoTime;
        lookedNanos = nanoTime.getAsLong() - LOOK_NANOS;
    }

    Account account(Wire wire, FramedConnection of) {
        return account(wire::waitingBytes, of, () -> end(wire, of));
    }

    /**
     * Returns the account of a new connection.
     *
     * @param waitingBytes how many bytes wait for its peer; from any thread
     * @param name for the log
     * @param end closes the connection without waiting for anything to be sent; from any thread
     */
    public Account account(LongSupplier waitingBytes, Object name, Runnable end) {
        return new Account(waitingBytes, name, end);
    }

    private static void end(Wire wire, FramedConnection connection) {
        wire.execute(() -> {
            connection.sender().stop();
            wire.abort();
        });
    }

    /** Returns the number of bytes held when each connection was last checked. */
    public long total() {
        return total.get();
    }

    private boolean isCrowded() {
        return total.get() > most / 4 * 3;
    }

    /** Frees memory if there is little left. */
    private void relieve() {
        long now = nanoTime.getAsLong();
        if ((total.get() <= most && now - lookedNanos < LOOK_NANOS) || !looking.compareAndSet(false, true)) {
            return;
        }
        try {
            lookedNanos = now;
            holding.forEach(Account::count);
            for (Account worst = worst(now); worst != null; worst = worst(now)) {
                worst.close();
            }
        } finally {
            looking.set(false);
        }
    }

    /** Returns the account to close next; null for none. */
    private @Nullable Account worst(long now) {
        boolean full = total.get() > most;
        if (!isCrowded()) {
            return null;
        }
        Account worst = null;
        double worstCost = 0;
        for (Account each : holding) {
            long age = each.age(now);
            double cost = (double) each.held * (age + FRESH_NANOS);
            if ((full || age > STUCK_NANOS) && cost > worstCost) {
                worst = each;
                worstCost = cost;
            }
        }
        return worst;
    }

    /** The memory that the peer of one connection holds. */
    public final class Account {
        private final LongSupplier waitingBytes;
        private final Object name;
        private final Runnable end;
        /** Bytes given to the wire so far; written on the loop. */
        private volatile long given;
        /** Bytes that belong to a frame not yet complete; written on the loop. */
        private volatile int unread;

        private volatile long held;
        // Guarded by this.
        private boolean closed;
        /** The value of {@code given} by whose reading the peer shows that it has moved since {@code movedNanos}. */
        private long mark;

        private long movedNanos;
        private long frames;
        private long framesNanos;

        private Account(LongSupplier waitingBytes, Object name, Runnable end) {
            this.waitingBytes = waitingBytes;
            this.name = name;
            this.end = end;
        }

        /** Bytes have been sent, and may wait for the peer; on the loop. */
        public void given(int bytes) {
            long before = given;
            given = before + bytes;
            update();
        }

        /**
         * Bytes of an incomplete frame are left; on the loop.
         *
         * @param framesRead the number of frames received on this connection
         */
        public void left(int bytes, long framesRead) {
            if (bytes == 0 && unread == 0) {
                return;
            }
            synchronized (this) {
                if (unread == 0 || framesRead != frames) {
                    frames = framesRead;
                    framesNanos = nanoTime.getAsLong();
                }
                unread = bytes;
            }
            update();
        }

        private void update() {
            if (held == 0 && unread == 0 && waitingBytes.getAsLong() == 0) {
                return;
            }
            count();
            if (isCrowded()) {
                relieve();
            }
        }

        private synchronized void count() {
            long waiting = closed ? 0 : waitingBytes.getAsLong();
            long now = waiting + (closed ? 0 : unread);
            if (held == 0 || waiting == 0 || given - waiting >= mark) {
                mark = given;
                movedNanos = nanoTime.getAsLong();
            }
            total.addAndGet(now - held);
            held = now;
            if (now > 0) {
                holding.add(this);
            } else {
                holding.remove(this);
            }
        }

        /** Returns how long its peer has neither read the waiting bytes nor completed a frame. */
        private synchronized long age(long now) {
            long unreadAge = unread == 0 ? 0 : now - framesNanos;
            return held == unread ? unreadAge : Math.max(unreadAge, now - movedNanos);
        }

        /** Returns whether the peer must read before it is answered anything more. */
        boolean isOverdrawn() {
            return held > 0 && isCrowded();
        }

        private void close() {
            LOG.warn(
                    "{} is closed: it holds {} bytes of the {} that all may hold, and does not read or send on",
                    name,
                    held,
                    most);
            closed();
            end.run();
        }

        /** The connection is closed: its peer holds nothing more. */
        public void closed() {
            synchronized (this) {
                closed = true;
            }
            count();
        }
    }
}
