package io.lambdafs.client.transport;

import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.client.metrics.ClientMetrics;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Scheduler;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Straggler mitigation (the paper's appendix B): an attempt over TCP that takes many times as long as such attempts do on average, by
 * deployment and apart for reads and writes, is given up, and its request asked of another instance; what the first one answers late
 * still counts. A call by HTTP in the place of such an attempt is given up likewise: it may have met a cold start. Where a request takes its second, third, … attempt it has twice, four times, … the time, so that what is slow everywhere is not
 * sent around for ever. Attempts are looked at every 10 ms while any is under way, which costs a request an entry in a queue and
 * no timer. Thread-safe.
 */
final class Stragglers {
    static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final int MAX_DOUBLINGS = 10;

    /** Where else a request could go. */
    interface Elsewhere {
        /** Whether the request may go elsewhere now; asked again if not. */
        boolean canTake(Attempt attempt);
    }

    private final ClientConfig.StragglerUse use;
    private final Scheduler scheduler;
    private final ClientMetrics metrics;
    /** By deployment, two each; longer as deployments are heard of. */
    private volatile MovingAverage[] averages = {};

    private final Queue<Watch> underWay = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean ticking = new AtomicBoolean();
    /** This process was late itself, and gives the answers that may have come meanwhile one tick to be read. Of one look at a time. */
    private volatile boolean stalled;

    Stragglers(ClientConfig.StragglerUse use, Scheduler scheduler, ClientMetrics metrics) {
        this.use = use;
        this.scheduler = scheduler;
        this.metrics = metrics;
    }

    /** One attempt on one connection; who ends it first tells its outcome. Thread-safe. */
    final class Watch extends AtomicBoolean {
        private static final long serialVersionUID = 1L;

        private final transient Attempt attempt;
        private final long sentNanos;

        private Watch(Attempt attempt, long sentNanos) {
            this.attempt = attempt;
            this.sentNanos = sentNanos;
        }

        /** True once. */
        boolean end() {
            return compareAndSet(false, true);
        }

        boolean hasEnded() {
            return get();
        }

        /** The instance has done what it was asked, in time. */
        void served() {
            if (use.enabled()) {
                average(attempt).record(scheduler.nanoTime() - sentNanos);
            }
        }
    }

    /**
     * An attempt goes to an instance.
     *
     * @param elsewhere asked before it is given up
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
            // Timers of this process are at their limit: the next attempt tries again.
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

    /** How long an attempt may take before it is given up, nanoseconds; {@link Long#MAX_VALUE} for as long as it likes. */
    long patience(Attempt attempt) {
        long limit = use.enabled() ? limit(attempt) : Long.MAX_VALUE;
        // What is too long to be doubled is out of reach.
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
