package io.lambdafs.client.transport;

import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.client.metrics.ClientMetrics;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Straggler mitigation (the paper's appendix B): a TCP attempt that takes many times the average, kept by deployment
 * and separately for reads and writes, is given up and its request sent to another instance; a late answer of the first
 * still counts. An HTTP call replacing such an attempt is given up likewise, because it may have met a cold start. The
 * second, third, … attempt of a request gets twice, four times, … the time, so that requests slow everywhere are not
 * sent around forever. Attempts are checked every 10 ms while there are any, which costs a request a queue entry but no
 * timer. Thread-safe.
 */
final class Stragglers {
    static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final int MAX_DOUBLINGS = 10;

    /** Decides whether a request can go elsewhere. */
    interface Elsewhere {
        /** Returns whether the request may go elsewhere now; called again if not. */
        boolean canTake(Attempt attempt);
    }

    private final ClientConfig.StragglerUse use;
    private final Scheduler scheduler;
    private final ClientMetrics metrics;
    /** Two per deployment; grows with known deployments. */
    private volatile MovingAverage[] averages = {};

    private final Queue<Watch> underWay = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean ticking = new AtomicBoolean();
    /**
     * True if this process itself was late, and gives replies received meanwhile one tick to be read. Accessed by one
     * check at a time.
     */
    private volatile boolean stalled;

    Stragglers(ClientConfig.StragglerUse use, Scheduler scheduler, ClientMetrics metrics) {
        this.use = use;
        this.scheduler = scheduler;
        this.metrics = metrics;
    }

    /** One attempt on one connection; the first to end it reports its outcome. Thread-safe. */
    final class Watch extends AtomicBoolean {
        private static final long serialVersionUID = 1L;

        private final transient Attempt attempt;
        private final long sentNanos;

        private Watch(Attempt attempt, long sentNanos) {
            this.attempt = attempt;
            this.sentNanos = sentNanos;
        }

        /** Ends the watch; returns true once. */
        boolean end() {
            return compareAndSet(false, true);
        }

        boolean hasEnded() {
            return get();
        }

        /** Notes that the instance has served the request in time. */
        void served() {
            if (use.enabled()) {
                average(attempt).record(scheduler.nanoTime() - sentNanos);
            }
        }
    }

    /**
     * Watches an attempt sent to an instance.
     *
     * @param elsewhere consulted before it is given up
     */
    Watch watch(Attempt attempt, Elsewhere elsewhere) {
        if (!use.enabled()) {
            return new Watch(attempt, 0);
        }
        Watch watch = new Watch(attempt, scheduler.nanoTime());
        underWay.add(watch);
        tick(elsewhere);
        return watch;
    }

    private void tick(Elsewhere elsewhere) {
        if (ticking.get() || !ticking.compareAndSet(false, true)) {
            return;
        }
        try {
            long due = scheduler.nanoTime() + TICK_NANOS;
            scheduler.schedule(TICK_NANOS, () -> look(due, elsewhere));
        } catch (FsException full) {
            // This process has no timers left: the next attempt tries again.
            ticking.set(false);
        }
    }

    private void look(long dueNanos, Elsewhere elsewhere) {
        try {
            long now = scheduler.nanoTime();
            stalled = !stalled && now - dueNanos > 2 * TICK_NANOS;
            if (!stalled) {
                lookAt(now, elsewhere);
            }
        } finally {
            ticking.set(false);
            if (!underWay.isEmpty()) {
                tick(elsewhere);
            }
        }
    }

    private void lookAt(long now, Elsewhere elsewhere) {
        for (Iterator<Watch> each = underWay.iterator(); each.hasNext(); ) {
            Watch watch = each.next();
            if (watch.hasEnded() || giveUp(watch, now, elsewhere)) {
                each.remove();
            }
        }
    }

    private boolean giveUp(Watch watch, long now, Elsewhere elsewhere) {
        Attempt attempt = watch.attempt;
        if (now - watch.sentNanos < patience(attempt) || !elsewhere.canTake(attempt) || !watch.end()) {
            return false;
        }
        average(attempt).record(limit(attempt));
        metrics.straggled();
        attempt.outcome().straggles(attempt);
        return true;
    }

    /**
     * Returns how long an attempt may take before it is given up, in nanoseconds; {@link Long#MAX_VALUE} for no limit.
     */
    long patience(Attempt attempt) {
        long limit = use.enabled() ? limit(attempt) : Long.MAX_VALUE;
        // Too long to double means no limit.
        return limit >= Long.MAX_VALUE >> MAX_DOUBLINGS
                ? Long.MAX_VALUE
                : limit << Math.min(attempt.number() - 1, MAX_DOUBLINGS);
    }

    private long limit(Attempt attempt) {
        return average(attempt).limit(use.threshold(), use.floor().toNanos());
    }

    private MovingAverage average(Attempt attempt) {
        int number = 2 * attempt.deployment() + (attempt.isWrite() ? 1 : 0);
        MovingAverage[] known = averages;
        return number < known.length ? known[number] : added(number);
    }

    private synchronized MovingAverage added(int number) {
        int before = averages.length;
        if (number >= before) {
            MovingAverage[] longer = Arrays.copyOf(averages, number + 2 - number % 2);
            for (int i = before; i < longer.length; i++) {
                longer[i] = new MovingAverage();
            }
            averages = longer;
        }
        return averages[number];
    }
}
