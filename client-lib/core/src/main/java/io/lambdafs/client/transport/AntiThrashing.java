package io.lambdafs.client.transport;

import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.client.metrics.ClientMetrics;
import io.lambdafs.model.Scheduler;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Anti-thrashing mode (the paper's appendix C). Where the platform has room for fewer instances than are asked for, every HTTP call may
 * end one instance to start another, and most of the time goes into cold starts. An operation that takes a few times as long as
 * operations do on average is taken for a sign of that: for a bounded time the client then asks the instances that it is connected to, those of
 * other deployments too, and sends nothing by HTTP that a connection can carry; while it has none, one call at a time. A slow operation within that time does not prolong it, so that
 * a client which took something else for thrashing lets its platform scale again soon. Thread-safe.
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

    /** @param onBegin called when the mode begins */
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

    /** An operation that began at the given time has ended, well or not. */
    public void ended(long startNanos) {
        if (!use.enabled()) {
            return;
        }
        long now = scheduler.nanoTime();
        long latency = now - startNanos;
        long limit = average.limit(use.threshold(), use.floor().toNanos());
        average.record(Math.min(latency, limit));
        // 0 says that the mode is off.
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
