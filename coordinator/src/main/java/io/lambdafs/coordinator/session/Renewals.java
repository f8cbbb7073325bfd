package io.lambdafs.coordinator.session;

import io.lambdafs.coordinator.Coordinator;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.model.time.Stages;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.instance.ConfirmedLeases;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Maintains one epoch's lease: renews it every third of its duration, counted from when the renewal was sent, with a
 * timer at its end. During the join there is no lease, and renewals only keep the member from looking absent. A store
 * that may come back older must confirm each renewal (PROTOCOL: D7). Reports once that the epoch is lost: refused,
 * expired, or renewed only after it had lapsed. At most {@value #MAX_IN_FLIGHT} renewals are in flight. Thread-safe.
 */
final class Renewals {
    /** With a renewal every third of a lease, any before the last three would come too late. */
    private static final int MAX_IN_FLIGHT = 4;

    private final long epoch;
    private final boolean confirmed;
    private final Lease lease;
    private final Coordinator coordinator;
    private final MetadataStore store;
    private final Scheduler scheduler;
    private final long intervalNanos;
    private final Consumer<String> lost;
    private final AtomicInteger inFlight = new AtomicInteger();
    private boolean stopped;
    private Scheduler.@Nullable Timer next;
    private Scheduler.@Nullable Timer end;

    /** @param lost receives the reason; called at most once, from any thread */
    Renewals(Epochs.Taken taken, Lease lease, SessionContext context, Consumer<String> lost) {
        this.epoch = taken.epoch();
        this.confirmed = taken.confirmed();
        this.lease = lease;
        this.coordinator = context.coordinator();
        this.store = context.store();
        this.scheduler = context.scheduler();
        this.intervalNanos = context.times().held().toNanos() / 3;
        this.lost = lost;
    }

    /** Begins to renew, during the join. */
    synchronized void start() {
        if (!stopped) {
            next = scheduler.schedule(intervalNanos, this::renew);
        }
    }

    /**
     * Renews now, whatever else is in flight, for the lease with which the epoch becomes live.
     *
     * @return when it was sent, once it has succeeded
     */
    CompletionStage<Long> first() {
        long sentAt = scheduler.nanoTime();
        return renewed().thenApply(done -> sentAt);
    }

    /** Watches the lease's end, from when the epoch is live. */
    void live() {
        checkEnd();
    }

    synchronized void stop() {
        stopped = true;
        if (next != null) {
            next.cancel();
        }
        if (end != null) {
            end.cancel();
        }
    }

    private void renew() {
        synchronized (this) {
            if (stopped) {
                return;
            }
            Scheduler.Essential again = this::renew;
            next = scheduler.schedule(intervalNanos, again);
        }
        if (inFlight.get() >= MAX_IN_FLIGHT) {
            return;
        }
        inFlight.incrementAndGet();
        long sentAt = scheduler.nanoTime();
        renewed().whenComplete((done, failure) -> answered(sentAt, failure));
    }

    /** Completes when all required parties have renewed it. */
    private CompletionStage<?> renewed() {
        CompletionStage<Void> kept = Stages.call(() -> coordinator.renew(epoch));
        if (!confirmed) {
            return kept;
        }
        CompletionStage<Void> known = Stages.call(() -> ConfirmedLeases.confirm(store, epoch));
        return kept.thenCompose(renewal -> known);
    }

    private void answered(long sentAt, @Nullable Throwable failure) {
        inFlight.decrementAndGet();
        if (failure == null) {
            if (!lease.extend(epoch, sentAt)) {
                lose("its renewal succeeded only after it had run out");
            }
        } else if (FsException.of(failure).code() == ErrorCode.FENCED) {
            lose("its renewal was refused: another instance fenced this one, or the store came back older");
        }
        // Other failures may be transient: the next renewal retries, and the timer at the end decides.
    }

    private void checkEnd() {
        long remaining = lease.remaining(epoch);
        if (remaining <= 0) {
            lose("it ran out without a successful renewal");
            return;
        }
        synchronized (this) {
            if (!stopped) {
                Scheduler.Essential later = this::checkEnd;
                end = scheduler.schedule(remaining, later);
            }
        }
    }

    private void lose(String reason) {
        synchronized (this) {
            if (stopped) {
                return;
            }
        }
        stop();
        lost.accept(reason);
    }
}
