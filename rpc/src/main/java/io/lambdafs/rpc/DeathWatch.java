package io.lambdafs.rpc;

import java.util.concurrent.ThreadFactory;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles the death of irreplaceable threads. Anything waiting for such a thread would wait forever, so a service or
 * instance ends its process, to be restarted; an application embedding a client continues. Thread-safe.
 */
public final class DeathWatch {
    /** Exit code of a process that ended because one of its threads died. */
    public static final int EXIT_CODE = 70;

    private static final Logger LOG = LoggerFactory.getLogger(DeathWatch.class);
    private static volatile boolean endsProcess;

    private DeathWatch() {}

    /** Makes this process exit when any of its threads dies of an uncaught exception. */
    public static void endProcess() {
        endsProcess = true;
        Thread.setDefaultUncaughtExceptionHandler((thread, why) -> died(thread.getName(), why));
    }

    /**
     * Returns a factory of threads that must run until told to end; one that returns earlier counts as dead even
     * without an exception.
     *
     * @param isEnding whether they have been told to end
     */
    public static ThreadFactory lasting(ThreadFactory threads, BooleanSupplier isEnding) {
        return work -> threads.newThread(() -> {
            work.run();
            if (!isEnding.getAsBoolean()) {
                died(Thread.currentThread().getName(), null);
            }
        });
    }

    private static void died(String thread, @Nullable Throwable why) {
        try {
            LOG.error("Thread {} has died{}", thread, endsProcess ? "; so this process ends" : "", why);
        } finally {
            if (endsProcess) {
                // Halts at once, because shutdown hooks may wait for that very thread.
                Runtime.getRuntime().halt(EXIT_CODE);
            }
        }
    }
}
