package io.lambdafs.client.transport;

import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.client.metrics.ClientMetrics;
import io.lambdafs.model.time.Scheduler;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Anti-thrashing mode (the paper's appendix C). If the platform has capacity for fewer instances than requested, every
 * HTTP call may end one instance to start another, and most time goes into cold starts. An operation that takes several
 * times the average latency is taken as a sign of that: for a bounded time the client then uses its existing
 * connections, including those to other deployments, and sends by HTTP only what no connection can carry; without
 * connections, one call at a time. A slow operation during the mode does not extend it, so that after a false alarm the
 * platform can soon scale again. Thread-safe.
 */
public final class AntiThrashing {
    private static final Logger LOG = LoggerFactory.getLogger(AntiThrashing.class);
    private static final long OFF = 0;

    private final ClientConfig.AntiThrashingUse use;
    private final Scheduler scheduler;
    private final ClientMetrics metrics;
    private final Runnable onBegin;
    private final MovingAverage average = new MovingAverage();
    /** Monotonic time at which the mode ends. */
    private final AtomicLong end = new AtomicLong(OFF);

    /** @param onBegin called when the mode starts */
    AntiThrashing(ClientConfig.AntiThrashingUse use, Scheduler scheduler, ClientMetrics metrics, Runnable onBegin) {
        this.use = use;
        this.scheduler = scheduler;
        this.metrics = metrics;
        this.onBegin = onBegin;
    }

    public boolean isOn() {
        long until = end.get();
        if (until == OFF || scheduler.nanoTime() - until < 0) {
            return until != OFF;
        }
        if (end.compareAndSet(until, OFF)) {
            LOG.info("anti-thrashing mode is over: instances of every deployment are called again");
        }
        return false;
    }

    /** Notes the end of an operation that started at the given time, successful or not. */
    public void ended(long startNanos) {
        if (!use.enabled()) {
            return;
        }
        long now = scheduler.nanoTime();
        long latency = now - startNanos;
        long limit = average.limit(use.threshold(), use.floor().toNanos());
        average.record(Math.min(latency, limit));
        // 0 means that the mode is off.
        long until = (now + use.length().toNanos()) | 1;
        if (latency > limit && !isOn() && end.compareAndSet(OFF, until)) {
            metrics.thrashed();
            LOG.info(
                    "an operation took {} ms: for {} ms only connected instances are asked, of other deployments too",
                    TimeUnit.NANOSECONDS.toMillis(latency),
                    use.length().toMillis());
            onBegin.run();
        }
    }
}
