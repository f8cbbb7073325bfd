package io.lambdafs.functions.serving;

import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Admission control by an instance's CPU share. FaaS platforms grant CPU in proportion to memory, and an instance that
 * has used up its share must refuse requests, because that makes clients scale out a hot deployment (the paper's §3.4).
 * A token bucket of CPU time is filled at share × time, up to a burst of {@value #BURST_MILLIS} ms, and drained by the
 * serving threads' usage, sampled every {@value #SAMPLE_MILLIS} ms while there are requests, not per request. While it
 * is empty, {@link #mayServe} returns false and {@link #whenServed} queues at most {@value #MAX_WAITING}. Thread-safe.
 */
public final class CpuShare {
    private static final Logger LOG = LoggerFactory.getLogger(CpuShare.class);
    static final long SAMPLE_MILLIS = 5;
    static final long BURST_MILLIS = 100;
    static final int MAX_WAITING = 1_024;
    private static final long LEAST_TOLD_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    /** Assumed cost of a request until measured. */
    private static final long FIRST_GUESS_NANOS = 50_000;

    private final double share;
    private final LongSupplier usedCpuNanos;
    private final Scheduler scheduler;
    private final Steadiness steadiness;
    private final long burstNanos;
    private final BlockingQueue<Runnable> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
    private final AtomicBoolean sampling = new AtomicBoolean();
    private final LongAdder begun = new LongAdder();
    private volatile long tokens;

    private double told;
    private long toldAt;
    private long toldUse;

    // Used by the sampler only, one run at a time.
    private long sampledAt;
    private long sampledUse;
    private long sampledBegun;
    private double costPerRequest = FIRST_GUESS_NANOS;
    private long windowBegun;
    private long windowUse;

    /** Creates a full bucket without a warm-up allowance. */
    public CpuShare(double share, LongSupplier usedCpuNanos, Scheduler scheduler) {
        this(share, usedCpuNanos, scheduler, 0, new Steadiness());
    }

    /**
     * Creates a full bucket.
     *
     * @param share virtual CPUs; 0 for no limit
     * @param usedCpuNanos CPU time used by the serving threads so far; never decreases
     * @param warmUpNanos one-time allowance of CPU time beyond the share for loading and compiling a new process's
     *     code, which platforms grant too
     * @param steadiness records the cost of requests
     */
    public CpuShare(
            double share, LongSupplier usedCpuNanos, Scheduler scheduler, long warmUpNanos, Steadiness steadiness) {
        if (!(share >= 0 && share <= 1_024)) {
            throw new IllegalArgumentException("a CPU share is 0..1024 virtual CPUs, not " + share);
        }
        this.share = share;
        this.usedCpuNanos = usedCpuNanos;
        this.scheduler = scheduler;
        this.steadiness = steadiness;
        this.burstNanos = (long) (share * TimeUnit.MILLISECONDS.toNanos(BURST_MILLIS));
        this.tokens = burstNanos + warmUpNanos;
        this.toldAt = scheduler.nanoTime();
        this.toldUse = usedCpuNanos.getAsLong();
    }

    /** Returns whether there is CPU time for one more request, which then begins now. */
    public boolean mayServe() {
        if (share == 0) {
            return true;
        }
        wakeSampler();
        if (tokens <= 0 || !waiting.isEmpty()) {
            return false;
        }
        begun.increment();
        return true;
    }

    /**
     * Runs a task at once or when there is CPU time for it, in arrival order.
     *
     * @return false if too many are waiting; the task will not run
     */
    public boolean whenServed(Runnable task) {
        if (mayServe()) {
            task.run();
            return true;
        }
        boolean taken = waiting.offer(task);
        // The sampler may have found the bucket full and stopped since.
        wakeSampler();
        return taken;
    }

    /**
     * Returns the CPU time used since the last call as a multiple of the share: more than 1 where a warm-up allowance is drawn on. 0 without a limit. Calls in quick
     * succession get the same answer.
     */
    public synchronized double ofShare() {
        long now = scheduler.nanoTime();
        long elapsed = now - toldAt;
        if (share > 0 && elapsed >= LEAST_TOLD_NANOS) {
            long use = usedCpuNanos.getAsLong();
            told = (use - toldUse) / (share * elapsed);
            toldUse = use;
            toldAt = now;
        }
        return told;
    }

    /** Returns {@link Steadiness#ofSteady} of what requests cost; 0 without a limit, as CPU time is not measured then. */
    public double ofSteadyCost() {
        return share == 0 ? 0 : steadiness.ofSteady();
    }

    /** Returns the number of tasks waiting for CPU time. */
    public int waiting() {
        return waiting.size();
    }

    private void wakeSampler() {
        if (!sampling.get() && sampling.compareAndSet(false, true)) {
            sampledAt = scheduler.nanoTime();
            sampledUse = usedCpuNanos.getAsLong();
            sampledBegun = begun.sum();
            windowBegun = sampledBegun;
            windowUse = sampledUse;
            sampleLater();
        }
    }

    private void sampleLater() {
        try {
            scheduler.schedule(TimeUnit.MILLISECONDS.toNanos(SAMPLE_MILLIS), this::sample);
        } catch (FsException full) {
            // The process is stopping or has too many timers: the next request retries.
            sampling.set(false);
        }
    }

    private void sample() {
        long now = scheduler.nanoTime();
        long use = usedCpuNanos.getAsLong();
        long served = begun.sum();
        long used = Math.max(0, use - sampledUse);
        long filled = tokens + (long) (share * (now - sampledAt)) - used;
        if (served > sampledBegun) {
            costPerRequest += (used / (double) (served - sampledBegun) - costPerRequest) / 8;
        }
        if (served - windowBegun >= Steadiness.WINDOW) {
            steadiness.add(served - windowBegun, use - windowUse);
            windowBegun = served;
            windowUse = use;
        }
        boolean idle = served == sampledBegun;
        sampledAt = now;
        sampledUse = use;
        sampledBegun = served;
        // The remaining warm-up allowance stays but is not refilled.
        tokens = Math.min(filled, Math.max(burstNanos, tokens - used));
        release();
        if (idle && filled >= burstNanos && waiting.isEmpty()) {
            sampling.set(false);
        } else {
            sampleLater();
        }
    }

    /** Starts as many waiting tasks as the tokens cover. */
    private void release() {
        long affordable = tokens <= 0 ? 0 : Math.max(1, (long) (tokens / Math.max(1_000, costPerRequest)));
        for (long i = 0; i < affordable; i++) {
            Runnable next = waiting.poll();
            if (next == null) {
                return;
            }
            begun.increment();
            try {
                next.run();
            } catch (RuntimeException e) {
                LOG.error("a request that waited for CPU time failed; this is a defect", e);
            }
        }
    }
}
