package io.lambdafs.hammer.lambda;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;

/**
 * The load and the bill of one mode. Immutable.
 *
 * @param memoryMb of an instance
 * @param invocations number of billed invocations
 * @param billedMillis initialisations and whole invocations
 * @param activeMillis milliseconds in which a request was served (the paper's §5.2.5)
 * @param cpuMillis of the instances' processes, including their starts
 */
record Run(
        Mode mode,
        int memoryMb,
        long operations,
        long failed,
        double p50Micros,
        double p99Micros,
        int peakInstances,
        long invocations,
        long billedMillis,
        long activeMillis,
        long cpuMillis) {
    /** Lambda's list prices, x86, USD. */
    private static final double PER_GB_SECOND = 0.0000166667;

    private static final double PER_INVOCATION = 0.20e-6;
    /** The load of the paper's figure 9. */
    private static final double OPS_PER_SECOND = 25_000;
    /** Memory per virtual CPU on Lambda. */
    private static final double MB_PER_VCPU = 1_769;
    /** Planned utilisation of an instance's processor. */
    private static final double UTILISATION = 0.7;

    private double memory(double millis) {
        return millis / 1_000 * memoryMb / 1_024 * PER_GB_SECOND;
    }

    private double perMillion(double usd) {
        return operations == 0 ? 0 : usd * 1e6 / operations;
    }

    /** Returns the cost of a million operations as the platform bills it at this load, USD. */
    double billedPerMillion() {
        return perMillion(memory((double) billedMillis) + invocations * PER_INVOCATION);
    }

    /** Returns the same cost by active milliseconds. */
    double activePerMillion() {
        return perMillion(memory((double) activeMillis) + invocations * PER_INVOCATION);
    }

    /**
     * Returns the same cost at 25,000 operations per second: within invocations, each operation costs the same as here;
     * held instances are as many as their processors require, at 70 % utilisation, and are billed all the time.
     */
    double billedPerMillionAtScale() {
        if (mode != Mode.HELD) {
            return billedPerMillion();
        }
        double vcpuOfOne = memoryMb / MB_PER_VCPU;
        double instances = instancesAtScale(vcpuOfOne);
        return instances * memory(1_000) * 1e6 / OPS_PER_SECOND;
    }

    private double instancesAtScale(double vcpuOfOne) {
        double cpuSeconds = OPS_PER_SECOND * cpuMillis / 1_000 / Math.max(1, operations);
        return Math.ceil(cpuSeconds / (UTILISATION * vcpuOfOne));
    }

    String text() {
        return String.format(
                Locale.ROOT,
                "%-10s  %,d operations, %d failed; p50 %.1f ms, p99 %.1f ms; %d instances of %d MB; %,d invocations, billed %,d ms, active %,d ms, CPU %,d ms%n"
                        + "            USD per million operations: %.3f by what is billed, %.3f by active time, %.3f by what is billed at 25,000 ops/s",
                mode.label(),
                operations,
                failed,
                p50Micros / 1e3,
                p99Micros / 1e3,
                peakInstances,
                memoryMb,
                invocations,
                billedMillis,
                activeMillis,
                cpuMillis,
                billedPerMillion(),
                activePerMillion(),
                billedPerMillionAtScale());
    }

    ObjectNode json() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("mode", mode.label())
                .put("memoryMb", memoryMb)
                .put("operations", operations)
                .put("failed", failed)
                .put("p50Micros", p50Micros)
                .put("p99Micros", p99Micros)
                .put("peakInstances", peakInstances)
                .put("invocations", invocations)
                .put("billedMillis", billedMillis)
                .put("activeMillis", activeMillis)
                .put("cpuMillis", cpuMillis)
                .put("billedUsdPerMillion", billedPerMillion())
                .put("activeUsdPerMillion", activePerMillion())
                .put("billedUsdPerMillionAt25k", billedPerMillionAtScale());
    }
}
