package io.lambdafs.benchmarks.micro;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * One turn of one lane. Immutable, as long as nobody changes the histogram.
 *
 * @param nanos service times of the calls that count
 * @param failed calls that did not end well, while it warmed up too
 * @param seconds that count
 * @param clientCpuSeconds of the measuring process, in them
 * @param serverCpuSeconds of all processes that serve, in them; NaN where they are not known
 * @param compilerCpuSeconds of the compilers of all these processes, in them; NaN where the system does not tell
 * @param machineLoad share of all processors that was busy, 0–1; negative where the system does not tell
 */
record Round(
        Histogram nanos,
        long failed,
        @Nullable String failure,
        double seconds,
        double clientCpuSeconds,
        double serverCpuSeconds,
        double compilerCpuSeconds,
        double machineLoad) {
    long ops() {
        return nanos.getTotalCount();
    }

    double opsPerSecond() {
        return ops() / seconds;
    }

    double clientMicrosPerOp() {
        return clientCpuSeconds * 1e6 / Math.max(1, ops());
    }

    /** NaN where the servers are not known. */
    double serverMicrosPerOp() {
        return serverCpuSeconds * 1e6 / Math.max(1, ops());
    }

    /** Part of the client's and the servers' CPU time that went into compiling; NaN where either is not known. */
    double compilerShare() {
        double all = clientCpuSeconds + serverCpuSeconds;
        return all == 0 ? Double.NaN : compilerCpuSeconds / all;
    }

    /** Processors that others kept busy; NaN where the servers or the load are not known. */
    double othersCores() {
        if (machineLoad < 0) {
            return Double.NaN;
        }
        double busy = machineLoad * Runtime.getRuntime().availableProcessors();
        return Math.max(0, busy - (clientCpuSeconds + serverCpuSeconds) / seconds);
    }
}
