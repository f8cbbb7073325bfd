package io.lambdafs.rpc;

import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * Lengthens time limits on a busy machine by the number of runnable threads per processor, so that a thread waiting for
 * its turn does not pass for one that does not answer. Stateless.
 */
public final class Leeway {
    /** The largest factor. */
    static final int MOST = 30;

    private Leeway() {}

    /** Returns the present length of a limit, given its length on a calm machine. */
    public static Duration of(Duration calm) {
        return of(
                calm,
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                Runtime.getRuntime().availableProcessors());
    }

    /** @param load threads that run or want to run; negative if unknown */
    static Duration of(Duration calm, double load, int processors) {
        double factor = Math.max(1, Math.min(load / processors, MOST));
        return Duration.ofNanos((long) (calm.toNanos() * factor));
    }
}
