package io.lambdafs.cluster.settings;

import java.lang.management.ManagementFactory;

/**
 * The resources of a machine, or of a container by its limits. Immutable.
 *
 * @param memoryMb of all processes
 */
public record Machine(int processors, long memoryMb) {
    private static final long UNKNOWN_MB = 4_096;

    /** Returns this machine's. */
    public static Machine own() {
        long memoryMb =
                ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                        ? system.getTotalMemorySize() >> 20
                        : UNKNOWN_MB;
        return new Machine(Runtime.getRuntime().availableProcessors(), memoryMb);
    }
}
