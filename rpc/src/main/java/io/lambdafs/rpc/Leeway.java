package io.lambdafs.rpc;

import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * Lengthens time limits on a busy machine: by as many times as there are threads that want to run for each processor, so
 * that what merely waits for its turn is not taken for something that does not answer. Stateless.
 */
public final class Leeway {
    /** The largest factor. */
    static final int MOST = 30;

    private Leeway() {}

    /** Returns how long a limit is now that is this long on a calm machine. */
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
