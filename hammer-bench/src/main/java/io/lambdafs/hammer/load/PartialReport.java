package io.lambdafs.hammer.load;

import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.report.Report;
import io.lambdafs.hammer.result.ReplayResult;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the measurements of a load that is interrupted. While this is open, the end of the process, also by Ctrl-C,
 * interrupts the thread that opened it, and waits for the page. Used by that thread.
 */
public final class PartialReport implements Consumer<ReplayResult>, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PartialReport.class);
    private static final long LONGEST_SECONDS = 10;

    private final Console console;
    private final Path directory;
    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread load = Thread.currentThread();
    private final Thread hook = new Thread(this::interrupt, "finish-report");

    /** @param directory of the page */
    PartialReport(Console console, Path directory) {
        this.console = console;
        this.directory = directory;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /**
     * Runs a load; if it is interrupted, its measurements so far become a page.
     *
     * @param directory of the page; null for none
     * @param load takes the receiver of its measurements
     */
    public static <T> T during(Console console, @Nullable Path directory, Function<Consumer<ReplayResult>, T> load) {
        if (directory == null) {
            return load.apply(unfinished -> {});
        }
        try (PartialReport partial = new PartialReport(console, directory)) {
            return load.apply(partial);
        }
    }

    private void interrupt() {
        load.interrupt();
        try {
            if (!over.await(LONGEST_SECONDS, TimeUnit.SECONDS)) {
                console.say("no report was written within " + LONGEST_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void accept(ReplayResult soFar) {
        Path page = Report.write(soFar, directory);
        // Bypass the console, which is mute when the process ends.
        console.endProgress();
        console.err().println("report of what was measured until then: " + page);
    }

    @Override
    public void close() {
        over.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            LOG.debug("the process is ending: the hook stays", e);
        }
    }
}
