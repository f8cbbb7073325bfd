package io.lambdafs.hammer.replay;

import io.lambdafs.hammer.result.ServerfulFleet;
import io.lambdafs.hammer.tree.ImportedTree;
import io.lambdafs.hammer.tree.Limits;
import io.lambdafs.hammer.workload.Workload;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A replay of a workload. Immutable.
 *
 * @param tree the namespace, as just imported; one replay per import, since a replay changes it
 * @param window maximum number of operations in flight, 1–65,536; further arrivals wait, which their latency includes
 * @param drain time after the load for unfinished operations to end, 0–10 min
 * @param watchScaleIn maximum time to watch the idle cluster until no instance is left, 0–10 min
 * @param fleet the fleet to compare the cost with
 * @param notes more settings for the report, in order: deployments, memory, versions
 */
public record ReplaySettings(
        ImportedTree tree,
        Workload workload,
        int window,
        Duration drain,
        Duration watchScaleIn,
        ServerfulFleet fleet,
        Map<String, String> notes) {
    public static final int DEFAULT_WINDOW = 384;
    public static final Duration DEFAULT_DRAIN = Duration.ofSeconds(60);

    public ReplaySettings {
        Limits.check("replay: window", window, 1, 65_536);
        Limits.check("replay: drain seconds", drain.toMillis() / 1e3, 0, 600);
        Limits.check("replay: seconds to watch the scale-in", watchScaleIn.toMillis() / 1e3, 0, 600);
        notes = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(notes));
    }

    /** Returns settings with the default limits. */
    public static ReplaySettings of(ImportedTree tree, Workload workload) {
        return new ReplaySettings(
                tree, workload, DEFAULT_WINDOW, DEFAULT_DRAIN, Duration.ZERO, ServerfulFleet.DEFAULT, Map.of());
    }

    ReplaySettings withWorkload(Workload load) {
        return new ReplaySettings(tree, load, window, drain, watchScaleIn, fleet, notes);
    }

    public ReplaySettings withWindow(int operations) {
        return new ReplaySettings(tree, workload, operations, drain, watchScaleIn, fleet, notes);
    }

    public ReplaySettings withDrain(Duration limit) {
        return new ReplaySettings(tree, workload, window, limit, watchScaleIn, fleet, notes);
    }

    public ReplaySettings withWatchScaleIn(Duration limit) {
        return new ReplaySettings(tree, workload, window, drain, limit, fleet, notes);
    }

    public ReplaySettings withFleet(ServerfulFleet serverful) {
        return new ReplaySettings(tree, workload, window, drain, watchScaleIn, serverful, notes);
    }

    public ReplaySettings withNotes(Map<String, String> more) {
        return new ReplaySettings(tree, workload, window, drain, watchScaleIn, fleet, more);
    }
}
