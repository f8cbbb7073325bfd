package io.lambdafs.hammer.trace;

import io.lambdafs.hammer.Limits;
import io.lambdafs.hammer.ReplaySettings;
import io.lambdafs.hammer.ServerfulFleet;
import io.lambdafs.model.FsPath;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How a trace is replayed. Immutable.
 *
 * @param scan what is in it
 * @param under the directory that stands for the trace's root
 * @param speedUp how many seconds of the trace pass in one, 0.001–1,000,000
 * @param window most operations in flight or waiting for others of the same path, 1–65,536; later ones start late, and their latency shows
 *     it
 * @param drain how long what is not done at the end may still take, 0–10 min
 * @param smallFileBytes longest content that a new file is given; a longer one has its size alone
 * @param fleet what the cost is compared with
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

    /** The default limits. */
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

    /** How long the load is. */
    double seconds() {
        return Math.max(1e-3, scan.seconds() / speedUp);
    }
}
