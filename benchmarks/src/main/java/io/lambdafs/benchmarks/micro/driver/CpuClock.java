package io.lambdafs.benchmarks.micro.driver;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** CPU time as the JVM tells it. Thread-safe. */
final class CpuClock {
    private final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    /** User and system time of this process so far. */
    long processNanos() {
        return system.getProcessCpuTime();
    }

    /** How busy all processors were since the last question, 0–1; negative where that is not known. */
    double machineLoad() {
        return system.getCpuLoad();
    }
}
