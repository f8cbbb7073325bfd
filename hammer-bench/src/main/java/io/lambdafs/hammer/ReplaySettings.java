package io.lambdafs.hammer;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The load of a replay. Immutable.
 *
 * @param tree the namespace, as an import has just made it; one replay per import, for a replay changes it
 * @param length of the load, 1 s – 24 h
 * @param baseOps base throughput: scale of the Pareto distribution, operations per second, 1–1,000,000
 * @param burstFactor cap of the throughput and height of the burst, times the base, 1–100
 * @param shape what of them comes when
 * @param zipfExponent how much the popularity of directories is skewed, 0–4
 * @param window most operations in flight, 1–65,536; what arrives beyond waits, and its latency shows it
 * @param drain how long what is not done at the end of the load may still take, 0–10 min
 * @param watchScaleIn how long to go on watching the idle cluster until no instance is left, 0–10 min
 * @param seed of every random choice
 * @param mix which operations, in which proportions
 * @param fleet what the cost is compared with
 * @param notes more settings for the report, in order: deployments, memory, versions
 */
public record ReplaySettings(
        ImportedTree tree,
        Duration length,
        double baseOps,
        double burstFactor,
        LoadShape shape,
        double zipfExponent,
        int window,
        Duration drain,
        Duration watchScaleIn,
        long seed,
        OperationMix mix,
        ServerfulFleet fleet,
        Map<String, String> notes) {
    public static final double DEFAULT_BURST_FACTOR = 7;
    public static final double DEFAULT_ZIPF_EXPONENT = 1.3;
    public static final int DEFAULT_WINDOW = 384;
    public static final Duration DEFAULT_DRAIN = Duration.ofSeconds(60);

    public ReplaySettings {
        Limits.check("replay: seconds", length.toMillis() / 1e3, 1, 86_400);
        Limits.check("replay: base operations per second", baseOps, 1, 1_000_000);
        Limits.check("replay: burst factor", burstFactor, 1, 100);
        Limits.check("replay: Zipf exponent", zipfExponent, 0, 4);
        Limits.check("replay: window", window, 1, 65_536);
        Limits.check("replay: drain seconds", drain.toMillis() / 1e3, 0, 600);
        Limits.check("replay: seconds to watch the scale-in", watchScaleIn.toMillis() / 1e3, 0, 600);
        notes = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(notes));
    }

    /** The paper's load with the default limits. */
    public static ReplaySettings of(ImportedTree tree, Duration length, double baseOps, long seed) {
        return new ReplaySettings(
                tree,
                length,
                baseOps,
                DEFAULT_BURST_FACTOR,
                LoadShape.BURSTS,
                DEFAULT_ZIPF_EXPONENT,
                DEFAULT_WINDOW,
                DEFAULT_DRAIN,
                Duration.ZERO,
                seed,
                OperationMix.SPOTIFY,
                ServerfulFleet.DEFAULT,
                Map.of());
    }

    public ReplaySettings withWindow(int operations) {
        return new ReplaySettings(
                tree,
                length,
                baseOps,
                burstFactor,
                shape,
                zipfExponent,
                operations,
                drain,
                watchScaleIn,
                seed,
                mix,
                fleet,
                notes);
    }

    public ReplaySettings withBurstFactor(double factor) {
        return new ReplaySettings(
                tree,
                length,
                baseOps,
                factor,
                shape,
                zipfExponent,
                window,
                drain,
                watchScaleIn,
                seed,
                mix,
                fleet,
                notes);
    }

    public ReplaySettings withShape(LoadShape form) {
        return new ReplaySettings(
                tree,
                length,
                baseOps,
                burstFactor,
                form,
                zipfExponent,
                window,
                drain,
                watchScaleIn,
                seed,
                mix,
                fleet,
                notes);
    }

    public ReplaySettings withDrain(Duration limit) {
        return new ReplaySettings(
                tree,
                length,
                baseOps,
                burstFactor,
                shape,
                zipfExponent,
                window,
                limit,
                watchScaleIn,
                seed,
                mix,
                fleet,
                notes);
    }

    public ReplaySettings withWatchScaleIn(Duration limit) {
        return new ReplaySettings(
                tree, length, baseOps, burstFactor, shape, zipfExponent, window, drain, limit, seed, mix, fleet, notes);
    }

    public ReplaySettings withMix(OperationMix operations) {
        return new ReplaySettings(
                tree,
                length,
                baseOps,
                burstFactor,
                shape,
                zipfExponent,
                window,
                drain,
                watchScaleIn,
                seed,
                operations,
                fleet,
                notes);
    }

    public ReplaySettings withFleet(ServerfulFleet serverful) {
        return new ReplaySettings(
                tree,
                length,
                baseOps,
                burstFactor,
                shape,
                zipfExponent,
                window,
                drain,
                watchScaleIn,
                seed,
                mix,
                serverful,
                notes);
    }

    public ReplaySettings withNotes(Map<String, String> more) {
        return new ReplaySettings(
                tree,
                length,
                baseOps,
                burstFactor,
                shape,
                zipfExponent,
                window,
                drain,
                watchScaleIn,
                seed,
                mix,
                fleet,
                more);
    }
}
