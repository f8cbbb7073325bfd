package io.lambdafs.hammer.replay;

import io.lambdafs.hammer.result.Part;
import io.lambdafs.hammer.result.Sample;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Samples the cluster once a second on its own thread and reports progress there, so that neither a slow answer nor a
 * slow terminal delays the load. If a sample fails, the previous one stays. Thread-safe.
 */
public final class Ticker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Ticker.class);
    private static final long PERIOD_MILLIS = 1_000;
    private static final long WAIT_SECONDS = 5;

    private final ClusterProbe probe;
    private final Consumer<Progress> progress;
    private final @Nullable Consumer<Part> parts;
    private final ScheduledExecutorService executor;
    private volatile Sample last;
    private boolean failing;

    public Ticker(ClusterProbe probe, Consumer<Progress> progress) {
        this(probe, progress, null);
    }

    /** @param parts receives each interval's additions, on the ticker's thread; null if they are not wanted */
    Ticker(ClusterProbe probe, Consumer<Progress> progress, @Nullable Consumer<Part> parts) {
        this.probe = probe;
        this.progress = progress;
        this.parts = parts;
        this.last = probe.sample();
        this.executor = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "hammer-ticker");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Returns the newest sample. */
    public Sample last() {
        return last;
    }

    /** Starts sampling, and passes on each sample. */
    public void start(Consumer<Sample> onTick) {
        executor.scheduleWithFixedDelay(
                () -> {
                    refresh();
                    onTick.accept(last);
                },
                PERIOD_MILLIS,
                PERIOD_MILLIS,
                TimeUnit.MILLISECONDS);
    }

    /** Takes a sample now, or returns the newest one if the cluster does not answer within five seconds. */
    public Sample fresh() {
        try {
            executor.submit(this::refresh).get(WAIT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("no sample of the cluster within {} s: {}", WAIT_SECONDS, e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return last;
    }

    /** Shows progress. At most one report waits per tick. */
    public void show(Progress now) {
        executor.execute(() -> {
            try {
                progress.accept(now);
            } catch (RuntimeException e) {
                LOG.warn("progress could not be shown: {}", e.toString());
            }
        });
    }

    /** Returns whether parts are wanted. */
    boolean wantsParts() {
        return parts != null;
    }

    /** Reports an interval's additions. */
    void tell(Part part) {
        Consumer<Part> reader = parts;
        if (reader != null) {
            executor.execute(() -> reader.accept(part));
        }
    }

    /** Waits until all reports have been read, at most five seconds. */
    void flush() {
        fresh();
    }

    private void refresh() {
        try {
            last = probe.sample();
            failing = false;
        } catch (RuntimeException e) {
            if (!failing) {
                failing = true;
                LOG.warn("the cluster did not answer; its last sample stands until it does: {}", e.toString());
            }
        }
    }

    /** Stops the ticker; returns when no report is being shown any more. */
    @Override
    public void close() {
        executor.shutdownNow();
        try {
            executor.awaitTermination(WAIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
