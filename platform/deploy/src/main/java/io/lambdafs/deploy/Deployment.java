package io.lambdafs.deploy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.platform.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What {@code lambdafs deploy} does: it checks, deploys, and writes the directory that clients are given. Stateless. */
public final class Deployment {
    private Deployment() {}

    /** How far to go. */
    public enum Mode {
        /** Only ask. */
        CHECK,
        /** Ask, and say what would change. */
        DRY_RUN,
        APPLY
    }

    /**
     * What came of it.
     *
     * @param problems with a fault among them, nothing was changed
     * @param changes one for each part
     */
    public record Report(String platform, String cluster, List<Problem> problems, List<Change> changes) {
        public Report {
            problems = List.copyOf(problems);
            changes = List.copyOf(changes);
        }

        public boolean hasFault() {
            return problems.stream().anyMatch(Problem::isFault);
        }

        /** What scripts read. */
        public ObjectNode json() {
            ObjectNode tree =
                    Json.object().put("schema", 1).put("platform", platform).put("cluster", cluster);
            ArrayNode found = tree.putArray("problems");
            for (Problem each : problems) {
                found.addObject()
                        .put("code", each.code().label())
                        .put("name", each.code().toString())
                        .put("fault", each.isFault())
                        .put("what", each.what())
                        .put("change", each.change());
            }
            ArrayNode parts = tree.putArray("changes");
            for (Change each : changes) {
                parts.addObject()
                        .put("change", each.kind().label())
                        .put("what", each.what())
                        .put("name", each.name())
                        .put("manifest", each.manifest());
            }
            return tree;
        }
    }

    /**
     * Has the functions be as planned.
     *
     * @param directory where clients' files go; made if it is missing
     * @throws DeployFailure it failed, and what it had changed was put back
     */
    public static Report deploy(Plan plan, Path directory, Mode mode) {
        ClusterFiles.demandOwn(directory);
        String cluster = plan.wanted().cluster();
        try (Platform platform = Platforms.open(plan.platform(), plan.target())) {
            List<Problem> problems = new ArrayList<>(platform.check(plan.wanted()));
            if (!plan.wanted().image().isEmpty()
                    && !plan.target().option("offline", "false").equals("true")) {
                try (Registry registry = new Registry()) {
                    registry.look(plan.wanted().image(), platform.architectures())
                            .ifPresent(problems::add);
                }
            }
            Report checked = new Report(plan.platform(), cluster, problems, List.of());
            if (checked.hasFault() || mode == Mode.CHECK) {
                return checked;
            }
            boolean resizes = mode == Mode.APPLY && isOfAnotherNumber(plan, directory);
            List<Change> changes = resizes
                    ? DeployedResize.run(platform, plan.wanted(), directory)
                    : platform.apply(plan.wanted(), mode == Mode.DRY_RUN);
            if (mode == Mode.APPLY) {
                ClusterFiles.write(directory, plan, platform.access(plan.wanted()));
            }
            return new Report(plan.platform(), cluster, problems, changes);
        }
    }

    /** Whether these functions are deployed, and are more or fewer. */
    private static boolean isOfAnotherNumber(Plan plan, Path directory) {
        return Plan.read(directory)
                .filter(before -> before.platform().equals(plan.platform())
                        && before.wanted().cluster().equals(plan.wanted().cluster())
                        && before.wanted().deployments() != plan.wanted().deployments())
                .isPresent();
    }

    /** Removes what was ever made for a cluster, and the files of its directory. */
    public static Report remove(String name, Target target, String cluster, Path directory, boolean dryRun) {
        try (Platform platform = Platforms.open(name, target)) {
            List<Change> changes = platform.remove(cluster, dryRun);
            if (!dryRun && Plan.read(directory).isPresent()) {
                ClusterFiles.remove(directory);
            }
            return new Report(name, cluster, List.of(), changes);
        }
    }
}
