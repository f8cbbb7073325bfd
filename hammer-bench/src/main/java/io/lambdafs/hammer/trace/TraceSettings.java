package io.lambdafs.hammer.trace;

import io.lambdafs.hammer.replay.ReplaySettings;
import io.lambdafs.hammer.result.ServerfulFleet;
import io.lambdafs.hammer.tree.Limits;
import io.lambdafs.model.FsPath;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The settings of a trace's replay. Immutable.
 *
 * @param scan its contents
 * @param under the directory that stands for the trace's root
 * @param speedUp seconds of the trace that pass in one second, 0.001–1,000,000
 * @param window maximum number of operations in flight or waiting for others of the same path, 1–65,536; later ones
 * start late, which their latency includes
 * @param drain time after the load for unfinished operations to end, 0–10 min
 * @param smallFileBytes maximum length of a new file's content; a longer file has only its size
 * @param fleet the fleet to compare the cost with
 * @param notes more settings for the report, in order
 */
public record TraceSettings(
        TraceScan scan,
        FsPath under,
        double speedUp,
        int window,
        Duration drain,
        int smallFileBytes,
        ServerfulFleet fleet,
        Map<String, String> notes) {
    public TraceSettings {
        Limits.check("replay: speed-up", speedUp, 0.001, 1_000_000);
        Limits.check("replay: window", window, 1, 65_536);
        Limits.check("replay: drain seconds", drain.toMillis() / 1e3, 0, 600);
        Limits.check("replay: small-file bytes", smallFileBytes, 0, 512 << 10);
        notes = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(notes));
    }

    /** Returns settings with the default limits. */
    public static TraceSettings of(TraceScan scan, FsPath under, double speedUp) {
        return new TraceSettings(
                scan,
                under,
                speedUp,
                ReplaySettings.DEFAULT_WINDOW,
                ReplaySettings.DEFAULT_DRAIN,
                0,
                ServerfulFleet.DEFAULT,
                Map.of());
    }

    /** Returns the length of the load. */
    double seconds() {
        return Math.max(1e-3, scan.seconds() / speedUp);
    }
}
