package io.lambdafs.examples;

import io.lambdafs.cluster.terminal.Console;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.FileSystem;

/** A bar on standard error: the bytes that the tasks of this process have read and written of those expected. */
final class Progress implements AutoCloseable {
    private static final int WIDTH = 30;

    private final String name;
    private final long expected;
    private final LongSupplier amount;
    private final String unit;
    private final long before;
    private final long began = System.nanoTime();
    private final Console console = Console.ofProcess();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "example-progress");
        thread.setDaemon(true);
        return thread;
    });

    /** @param scheme of the file systems whose bytes count */
    Progress(String name, long expectedBytes, String scheme) {
        this(name, expectedBytes, () -> bytes(scheme), "");
    }

    /**
     * A bar of another amount.
     *
     * @param unit of the amount; empty for bytes
     */
    Progress(String name, long expected, LongSupplier amount, String unit) {
        this.name = name;
        this.expected = expected;
        this.amount = amount;
        this.unit = unit;
        this.before = amount.getAsLong();
        timer.scheduleAtFixedRate(() -> console.progress(line()), 0, 200, TimeUnit.MILLISECONDS);
    }

    @SuppressWarnings("deprecation") // The counters of its replacement are per file system object.
    static long bytes(String scheme) {
        return FileSystem.getAllStatistics().stream()
                .filter(each -> scheme.equals(each.getScheme()))
                .mapToLong(each -> each.getBytesRead() + each.getBytesWritten())
                .sum();
    }

    private String line() {
        double share = Math.min(1, (amount.getAsLong() - before) / (double) Math.max(1, expected));
        int filled = (int) (share * WIDTH);
        return String.format(
                Locale.ROOT,
                "%-14s [%s%s] %3.0f %%",
                name,
                "=".repeat(filled),
                " ".repeat(WIDTH - filled),
                100 * share);
    }

    /** Reports the duration of the step; returns it, in seconds. */
    double done() {
        timer.shutdownNow();
        double seconds = (System.nanoTime() - began) / 1e9;
        console.endProgress();
        if (!unit.isEmpty()) {
            console.say(String.format(
                    Locale.ROOT, "%-14s done in %.1f s, %,d %s", name, seconds, amount.getAsLong() - before, unit));
            return seconds;
        }
        double megabytes = (amount.getAsLong() - before) / 1e6;
        console.say(String.format(
                Locale.ROOT,
                "%-14s done in %.1f s, %.0f MB read and written, %.0f MB/s",
                name,
                seconds,
                megabytes,
                megabytes / seconds));
        return seconds;
    }

    @Override
    public void close() {
        timer.shutdownNow();
        console.endProgress();
    }
}
