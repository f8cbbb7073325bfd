package io.lambdafs.rpc;

import java.util.concurrent.ThreadFactory;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What follows when a thread dies that nothing replaces. What waits for it would wait for ever, so a service or an instance ends as a whole
 * and its starter starts it anew; a program of somebody else's, in which a client runs, goes on. Thread-safe.
 */
public final class DeathWatch {
    /** Exit code of a process that ended because one of its threads did. */
    public static final int EXIT_CODE = 70;

    private static final Logger LOG = LoggerFactory.getLogger(DeathWatch.class);
    private static volatile boolean endsProcess;

    private DeathWatch() {}

    /** From now on this process ends with the first of its threads that dies of what nobody catches. */
    public static void endProcess() {
        endsProcess = true;
        Thread.setDefaultUncaughtExceptionHandler((thread, why) -> died(thread.getName(), why));
    }

    /**
     * Threads that are to run until they are told to end; one that returns before has died, though it let nothing escape.
     *
     * @param isEnding whether they have been told
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
                // At once: shutdown hooks may wait for that very thread.
                Runtime.getRuntime().halt(EXIT_CODE);
            }
        }
    }
}
