package io.lambdafs.hammer.tail;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stops several processes in turn for a short time each (SIGSTOP, SIGCONT), over and over. Thread-safe. */
final class Freezer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Freezer.class);

    private final List<Long> pids;
    private final Duration stop;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "freezer");
        thread.setDaemon(true);
        return thread;
    });
    private final AtomicInteger stops = new AtomicInteger();

    /**
     * Starts after the first interval.
     *
     * @param pids at least one
     * @param every time from the beginning of one stop to that of the next, longer than a stop
     */
    Freezer(List<Long> pids, Duration every, Duration stop) {
        this.pids = List.copyOf(pids);
        this.stop = stop;
        timer.scheduleAtFixedRate(this::freezeOne, every.toMillis(), every.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void freezeOne() {
        long pid = pids.get(stops.getAndIncrement() % pids.size());
        try {
            signal("STOP", pid);
            try {
                TimeUnit.NANOSECONDS.sleep(stop.toNanos());
            } finally {
                signal("CONT", pid);
            }
        } catch (IOException e) {
            LOG.warn("cannot stop process {}: {}", pid, e.toString());
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private static void signal(String name, long pid) throws IOException {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start();
        kill.onExit().join();
    }

    /** Returns the number of stops so far. */
    int stops() {
        return stops.get();
    }

    /** Stops no further processes; a stopped one continues. */
    @Override
    public void close() {
        timer.shutdownNow();
        try {
            if (!timer.awaitTermination(10, TimeUnit.SECONDS)) {
                LOG.warn("a process may still stand still");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
