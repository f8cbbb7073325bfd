package io.lambdafs.examples;

import io.lambdafs.cluster.terminal.Console;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;

/** A bar on standard error: the bytes that the tasks of this process have read and written of those expected. */
final class Progress implements AutoCloseable {
    private static final int WIDTH = 30;

    private final String name;
    private final long expected;
    private final long before = bytes();
    private final long began = System.nanoTime();
    private final Console console = Console.ofProcess();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "example-progress");
        thread.setDaemon(true);
        return thread;
    });

    Progress(String name, long expected) {
        this.name = name;
        this.expected = expected;
        timer.scheduleAtFixedRate(() -> console.progress(line()), 0, 200, TimeUnit.MILLISECONDS);
    }

    @SuppressWarnings("deprecation") // The counters of its replacement are per file system object.
    private static long bytes() {
        return FileSystem.getAllStatistics().stream()
                .filter(each -> "lambdafs".equals(each.getScheme()))
                .mapToLong(each -> each.getBytesRead() + each.getBytesWritten())
                .sum();
    }

    private String line() {
        double share = Math.min(1, (bytes() - before) / (double) Math.max(1, expected));
        int filled = (int) (share * WIDTH);
        return String.format(
                Locale.ROOT,
                "%-14s [%s%s] %3.0f %%",
                name,
                "=".repeat(filled),
                " ".repeat(WIDTH - filled),
                100 * share);
    }

    /** Says what the step took. */
    void done() {
        timer.shutdownNow();
        double seconds = (System.nanoTime() - began) / 1e9;
        double megabytes = (bytes() - before) / 1e6;
        console.endProgress();
        console.say(String.format(
                Locale.ROOT,
                "%-14s done in %.1f s, %.0f MB read and written, %.0f MB/s",
                name,
                seconds,
                megabytes,
                megabytes / seconds));
    }

    @Override
    public void close() {
        timer.shutdownNow();
        console.endProgress();
    }
}
