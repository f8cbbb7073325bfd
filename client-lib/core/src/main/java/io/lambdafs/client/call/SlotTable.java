package io.lambdafs.client.call;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.model.time.Scheduler;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The request slots of a client session, which make writes exactly-once: one write at a time uses a slot, and each use
 * raises the slot's sequence by one. The lowest free slot is used first, so that the service keeps few slot rows. Slot
 * 0 is for reads, whose ids are only for tracing. A slot whose write ended with an unknown outcome is retired, because
 * the write may still arrive. When {@value #MAX_RETIRED} slots of a session are retired, a new session with a fresh
 * random id begins. Thread-safe: a lock guards the table; futures complete outside it.
 */
public final class SlotTable {
    /** The last slot for writes, which use slots from 1. */
    public static final int LAST_SLOT = RequestId.MAX_SLOTS - 1;

    static final int MAX_RETIRED = 1_024;

    private final Scheduler scheduler;
    private final RandomGenerator ids;
    private final int maxWaiting;
    private final ArrayDeque<Waiter> waiting = new ArrayDeque<>();
    private volatile Session session;

    /**
     * @param ids an unguessable source of session ids
     * @param maxWaiting maximum writes waiting for a slot; more fail with {@code OVERLOADED}
     */
    public SlotTable(Scheduler scheduler, RandomGenerator ids, int maxWaiting) {
        this.scheduler = scheduler;
        this.ids = ids;
        this.maxWaiting = maxWaiting;
        this.session = new Session(ids.nextLong(), ids.nextLong());
    }

    /** A slot in use by one write. Immutable. */
    public record Slot(Session session, RequestId id) {}

    /** A session with its random id. Guarded by the table's lock. */
    public static final class Session {
        private final long high;
        private final long low;
        private final BitSet taken = new BitSet();
        private final long[] sequences = new long[RequestId.MAX_SLOTS];
        private int retired;

        private Session(long high, long low) {
            this.high = high;
            this.low = low;
        }
    }

    private static final class Waiter extends CompletableFuture<Slot> {
        private Scheduler.@Nullable Timer timer;
    }

    /**
     * Takes the lowest free slot, or waits for one.
     *
     * @return fails with {@code OVERLOADED} if too many are waiting or on timeout; nothing was sent then
     */
    public CompletionStage<Slot> acquire(long timeoutNanos) {
        Waiter waiter;
        synchronized (this) {
            Slot slot = waiting.isEmpty() ? take() : null;
            if (slot != null) {
                return CompletableFuture.completedFuture(slot);
            }
            if (waiting.size() >= maxWaiting) {
                return CompletableFuture.failedFuture(none("and " + maxWaiting + " writes wait for one"));
            }
            waiter = new Waiter();
            waiter.timer = scheduler.schedule(timeoutNanos, () -> expire(waiter));
            waiting.add(waiter);
        }
        return waiter;
    }

    /** Returns the id of a read, used only for tracing. */
    RequestId trace(long number) {
        Session now = session;
        return new RequestId(now.high, now.low, 0, number);
    }

    /** Releases a slot after its write was decided. */
    public void release(Slot slot) {
        Waiter next;
        Slot given;
        synchronized (this) {
            slot.session().taken.clear(slot.id().slot());
            next = waiting.peek();
            given = next == null ? null : take();
            if (given == null) {
                return;
            }
            waiting.remove();
        }
        hand(next, given);
    }

    /** Retires a slot after its write ended undecided. */
    public void retire(Slot slot) {
        synchronized (this) {
            Session owner = slot.session();
            owner.retired++;
            if (owner != session || owner.retired < MAX_RETIRED) {
                return;
            }
            session = new Session(ids.nextLong(), ids.nextLong());
        }
        serveWaiting();
    }

    private void serveWaiting() {
        while (true) {
            Waiter next;
            Slot given;
            synchronized (this) {
                next = waiting.peek();
                given = next == null ? null : take();
                if (given == null) {
                    return;
                }
                waiting.remove();
            }
            hand(next, given);
        }
    }

    private void hand(Waiter waiter, Slot slot) {
        Scheduler.Timer timer = waiter.timer;
        if (timer != null) {
            timer.cancel();
        }
        if (!waiter.complete(slot)) {
            release(slot);
        }
    }

    private void expire(Waiter waiter) {
        synchronized (this) {
            if (!waiting.remove(waiter)) {
                return;
            }
        }
        waiter.completeExceptionally(none("and none became free in time"));
    }

    private @Nullable Slot take() {
        // Slot 0 is that of reads.
        int number = session.taken.nextClearBit(1);
        if (number > LAST_SLOT) {
            return null;
        }
        session.taken.set(number);
        long sequence = ++session.sequences[number];
        return new Slot(session, new RequestId(session.high, session.low, number, sequence));
    }

    private static FsException none(String why) {
        return new FsException(
                ErrorCode.OVERLOADED, "all " + LAST_SLOT + " write slots of this client are in use, " + why);
    }
}
