package io.lambdafs.benchmarks.micro;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The result of one turn of one lane. Immutable unless a caller changes the histogram.
 *
 * @param nanos service times of the counted calls
 * @param failed failed calls, warm-up included
 * @param seconds counted seconds
 * @param clientCpuSeconds CPU time of the measuring process in them
 * @param serverCpuSeconds CPU time of all servers in them; NaN if these are not known
 * @param compilerCpuSeconds CPU time of all these processes' compilers in them; NaN if the system does not report it
 * @param machineLoad busy share of all processors, 0–1; negative if the system does not report it
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

    /** NaN if the servers are not known. */
    double serverMicrosPerOp() {
        return serverCpuSeconds * 1e6 / Math.max(1, ops());
    }

    /** Returns the share of compiling in the CPU time of client and servers; NaN if either is not known. */
    double compilerShare() {
        double all = clientCpuSeconds + serverCpuSeconds;
        return all == 0 ? Double.NaN : compilerCpuSeconds / all;
    }

    /** Returns the number of processors busy with other processes; NaN if the servers or the load are not known. */
    double othersCores() {
        if (machineLoad < 0) {
            return Double.NaN;
        }
        double busy = machineLoad * Runtime.getRuntime().availableProcessors();
        return Math.max(0, busy - (clientCpuSeconds + serverCpuSeconds) / seconds);
    }
}
