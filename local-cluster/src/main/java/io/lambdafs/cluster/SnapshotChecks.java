package io.lambdafs.cluster;

import io.lambdafs.platform.local.instance.Criu;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Doctor's check of how instances start. Stateless. */
final class SnapshotChecks {
    private static final String CHECK = "start";
    private static final String OTHERWISE =
            "instances start from the class archive, and those prewarmed rehearse (pool.prewarm)";

    private SnapshotChecks() {}

    /** Returns the directory of images, in the user's cache. */
    static Path images() {
        String cache = System.getenv().getOrDefault("XDG_CACHE_HOME", "");
        Path place = cache.isEmpty() ? Path.of(System.getProperty("user.home", "/tmp"), ".cache") : Path.of(cache);
        return place.resolve("lambdafs").resolve("snapshots").toAbsolutePath();
    }

    static List<Finding> look(ClusterSettings settings) {
        return look(settings, System.getenv());
    }

    static List<Finding> look(ClusterSettings settings, Map<String, String> environment) {
        if (!settings.restoresInstances()) {
            return List.of(Finding.ok(CHECK, OTHERWISE));
        }
        Criu.Found found = Criu.find(environment);
        return List.of(Finding.ok(
                CHECK,
                found.engine()
                        .map(engine -> "instances are restored by " + engine.name() + " from images in " + images())
                        .orElse(OTHERWISE + "; they are not restored from an image: " + found.why())));
    }
}
