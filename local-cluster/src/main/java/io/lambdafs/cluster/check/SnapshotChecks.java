package io.lambdafs.cluster.check;

import io.lambdafs.cluster.process.InstanceArchive;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.platform.local.instance.Criu;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Doctor's check of how instances start. Stateless. */
final class SnapshotChecks {
    private static final String CHECK = "start";
    private static final String OTHERWISE =
            "instances start from the class archive, and those prewarmed rehearse (pool.prewarm)";

    /** The program of a JDK with CRaC, below its home. */
    private static final String CRAC_ENGINE = "lib/criuengine";

    private SnapshotChecks() {}

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
                        .map(engine -> "instances are restored by " + engine.name() + " from images in "
                                + InstanceArchive.images())
                        .orElse(OTHERWISE + "; they are not restored from an image: " + found.why() + ", and "
                                + crac(settings))));
    }

    /** Describes the other way to take images, which λFS does not use. */
    private static String crac(ClusterSettings settings) {
        String named = settings.instance().jdk();
        Path home = Path.of(named.isEmpty() ? System.getProperty("java.home") : named);
        return Files.exists(home.resolve(CRAC_ENGINE))
                ? "the CRaC of the JDK in " + home + " is not used"
                : "the JDK in " + home + " has no CRaC";
    }
}
