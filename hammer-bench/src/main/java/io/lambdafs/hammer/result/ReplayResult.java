package io.lambdafs.hammer.result;

import io.lambdafs.hammer.workload.OperationKind;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The measurements of a replay. Immutable.
 *
 * @param operations scheduled operations, all of which count, done or not
 * @param failed operations that failed, got an unexpected answer, or were not done by the end
 * @param seconds from the start to the last operation's end
 * @param opsPerSecond operations done over those seconds
 * @param offeredOpsPerSecond scheduled operations over the length of the load
 * @param peakInstances maximum number of instances at one moment
 * @param finalInstances number of instances when watching ended
 * @param cacheHitRate 0–1 over the run
 * @param httpShare share of the load's requests by HTTP, 0–1
 * @param latencyMicros by {@link OperationKind#label()} in that order, then {@code all}
 * @param phases latency of operations scheduled in bursts ({@value #BURST}), of the reads among them ({@value
 * #BURST_READS}) and of the rest ({@value #CALM}); empty without bursts
 * @param series about one point a second
 * @param failures the first failed operations, described
 * @param settings names and values, for the report
 * @param unfinished why the load ended early; empty if it did not
 */
public record ReplayResult(
        long operations,
        long failed,
        double seconds,
        double opsPerSecond,
        double offeredOpsPerSecond,
        int peakInstances,
        int finalInstances,
        double cacheHitRate,
        double httpShare,
        Map<String, Latency> latencyMicros,
        Map<String, Latency> phases,
        Listings listings,
        Cost cost,
        ServerfulFleet fleet,
        long seed,
        List<SeriesPoint> series,
        List<String> failures,
        Map<String, String> settings,
        String unfinished) {
    /** Name of the latency over all operations. */
    public static final String ALL = "all";
    /** Name of the phase at the highest load. */
    public static final String BURST = "burst";
    /** Name of the reads in that phase: read, stat and ls. */
    public static final String BURST_READS = "burstReads";
    /** Name of the phase of all other load. */
    public static final String CALM = "calm";

    public ReplayResult {
        latencyMicros = Collections.unmodifiableMap(new LinkedHashMap<>(latencyMicros));
        phases = Map.copyOf(phases);
        series = List.copyOf(series);
        failures = List.copyOf(failures);
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
    }

    /** Returns the same result, marked as that of a load that ended early. */
    public ReplayResult unfinished(String why) {
        return new ReplayResult(
                operations,
                failed,
                seconds,
                opsPerSecond,
                offeredOpsPerSecond,
                peakInstances,
                finalInstances,
                cacheHitRate,
                httpShare,
                latencyMicros,
                phases,
                listings,
                cost,
                fleet,
                seed,
                series,
                failures,
                settings,
                why);
    }
}
