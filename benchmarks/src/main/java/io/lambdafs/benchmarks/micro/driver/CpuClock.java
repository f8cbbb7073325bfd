package io.lambdafs.benchmarks.micro.driver;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** Reads CPU times from the JVM. Thread-safe. */
final class CpuClock {
    private final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    /** Returns the user and system time of this process so far. */
    long processNanos() {
        return system.getProcessCpuTime();
    }

    /** Returns the load of all processors since the last call, 0–1; negative if not known. */
    double machineLoad() {
        return system.getCpuLoad();
    }
}
