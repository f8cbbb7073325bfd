package io.lambdafs.functions.inflight;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The operations in flight in this instance. An operation is counted from before its first lookup until it has ended,
 * so any operation that {@link #drained} misses begins after the invalidation preceding that call. Thread-safe;
 * operations are spread over {@value #STRIPES} lists by the thread that begins them, each with a mutex held for a few
 * instructions ({@code drained} holds each in turn while it compares the paths in it). No thread blocks on an
 * operation.
 */
public final class InFlight {
    private static final int STRIPES = 16;

    private final Stripe[] stripes = new Stripe[STRIPES];
    private final AtomicInteger count = new AtomicInteger();
    private final int limit;

    /**
     * Creates a counter with a limit.
     *
     * @param limit maximum concurrent operations; at least 1
     */
    public InFlight(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("the limit of operations in flight must be at least 1, is " + limit);
        }
        this.limit = limit;
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new Stripe();
        }
    }

    /**
     * Counts an operation as begun.
     *
     * @param first its path; the source for a rename
     * @param second the destination of a rename; null otherwise
     * @throws FsException {@code OVERLOADED} at the limit
     */
    public Handle begin(FsPath first, @Nullable FsPath second) {
        if (count.incrementAndGet() > limit) {
            count.decrementAndGet();
            throw new FsException(
                    ErrorCode.OVERLOADED,
                    "this instance has " + limit
                            + " operations in flight, its limit; send the request to another, by HTTP");
        }
        Stripe stripe = stripes[(int) Thread.currentThread().getId() & (STRIPES - 1)];
        Handle handle = new Handle(this, stripe, first, second);
        stripe.add(handle);
        return handle;
    }

    /** Same as {@link #drained(List, Handle)} with no exempt operation. */
    public CompletionStage<Void> drained(List<FsPath> prefixes) {
        return drained(prefixes, null);
    }

    /**
     * Completes when every operation begun before this call with a path at or below one of the prefixes has ended;
     * completed by the thread that ends the last of them.
     *
     * @param except an operation not waited for: the caller's own
     */
    public CompletionStage<Void> drained(List<FsPath> prefixes, @Nullable Handle except) {
        Drain drain = new Drain();
        for (Stripe stripe : stripes) {
            stripe.join(drain, prefixes, except);
        }
        drain.countDown();
        return drain.done;
    }

    /** Returns the number of operations in flight. */
    public int count() {
        return count.get();
    }

    /** One operation in flight. */
    public static final class Handle {
        private final InFlight owner;
        private final Stripe stripe;
        private final FsPath first;
        private final @Nullable FsPath second;

        private @Nullable Handle previous;
        private @Nullable Handle next;
        private boolean ended;
        private @Nullable List<Drain> drains;

        private Handle(InFlight owner, Stripe stripe, FsPath first, @Nullable FsPath second) {
            this.owner = owner;
            this.stripe = stripe;
            this.first = first;
            this.second = second;
        }

        /** Counts the operation as ended. Idempotent. */
        public void end() {
            List<Drain> waiting;
            synchronized (stripe) {
                if (ended) {
                    return;
                }
                ended = true;
                stripe.remove(this);
                waiting = drains;
                drains = null;
            }
            owner.count.decrementAndGet();
            if (waiting != null) {
                waiting.forEach(Drain::countDown);
            }
        }

        private boolean isAtOrBelowAny(List<FsPath> prefixes) {
            for (FsPath prefix : prefixes) {
                if (first.isAtOrBelow(prefix) || (second != null && second.isAtOrBelow(prefix))) {
                    return true;
                }
            }
            return false;
        }
    }

    /** A list of handles; its monitor guards the list and the handles' mutable fields. */
    private static final class Stripe {
        private @Nullable Handle head;

        synchronized void add(Handle handle) {
            Handle old = head;
            handle.next = old;
            if (old != null) {
                old.previous = handle;
            }
            head = handle;
        }

        synchronized void remove(Handle handle) {
            Handle before = handle.previous;
            Handle after = handle.next;
            if (before == null) {
                head = after;
            } else {
                before.next = after;
            }
            if (after != null) {
                after.previous = before;
            }
            handle.previous = null;
            handle.next = null;
        }

        @SuppressWarnings("ReferenceEquality") // A handle is one operation, whatever its paths.
        synchronized void join(Drain drain, List<FsPath> prefixes, @Nullable Handle except) {
            for (Handle at = head; at != null; at = at.next) {
                if (at != except && at.isAtOrBelowAny(prefixes)) {
                    drain.remaining.incrementAndGet();
                    if (at.drains == null) {
                        at.drains = new ArrayList<>(1);
                    }
                    at.drains.add(drain);
                }
            }
        }
    }

    /** A pending drain: completes when its operations have ended and the search for them is complete. */
    private static final class Drain {
        final AtomicInteger remaining = new AtomicInteger(1);
        final CompletableFuture<Void> done = new CompletableFuture<>();

        void countDown() {
            if (remaining.decrementAndGet() == 0) {
                done.complete(null);
            }
        }
    }
}
