package io.lambdafs.deploy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.platform.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Implements {@code lambdafs deploy}: checks, deploys, and writes the directory for clients. Stateless. */
public final class Deployment {
    private Deployment() {}

    /** The extent of a run. */
    public enum Mode {
        /** Only checks. */
        CHECK,
        /** Checks and reports the changes. */
        DRY_RUN,
        APPLY
    }

    /**
     * The result of a run.
     *
     * @param problems problems found, faults first; with a fault among them, nothing was changed
     * @param changes one for each part
     */
    public record Report(String platform, String cluster, List<Problem> problems, List<Change> changes) {
        public Report {
            problems = problems.stream()
                    .sorted(Comparator.comparing(Problem::isFault).reversed())
                    .toList();
            changes = List.copyOf(changes);
        }

        public boolean hasFault() {
            return problems.stream().anyMatch(Problem::isFault);
        }

        /** Returns the JSON for scripts. */
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
     * Creates or updates the functions as planned.
     *
     * @param directory directory for clients' files; created if missing
     * @throws DeployFailure if it failed and its changes were undone
     */
    public static Report deploy(Plan plan, Path directory, Mode mode) {
        if (mode == Mode.APPLY) {
            demandPlatform(plan.target());
            ClusterFiles.demandWritable(directory);
        }
        ClusterFiles.demandOwn(directory);
        String cluster = plan.wanted().cluster();
        List<Problem> problems = new ArrayList<>(SpecChecks.of(plan.wanted()));
        if (problems.stream().anyMatch(Problem::isFault)) {
            return new Report(plan.platform(), cluster, problems, List.of());
        }
        try (Platform platform = Platforms.open(plan.platform(), plan.target())) {
            problems.addAll(platform.check(plan.wanted()));
            if (!plan.wanted().image().isEmpty() && !plan.target().isOffline()) {
                try (Registry registry = new Registry()) {
                    registry.look(plan.wanted().image(), platform.architectures())
                            .ifPresent(problems::add);
                }
            }
            boolean isAlone = problems.stream().anyMatch(each -> each.code() == Problem.Code.UNREACHABLE);
            if (isAlone && mode != Mode.APPLY && Platforms.hasOption(plan.platform(), Target.OFFLINE)) {
                problems.add(Problem.advice(
                        Problem.Code.UNREACHABLE,
                        "a dry run is possible without the platform, with fewer checks",
                        "add --option offline=true"));
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

    private static void demandPlatform(Target target) {
        if (target.isOffline()) {
            throw new DeployFailure(
                    Problem.Code.CONFIGURATION,
                    "with the option offline there are only --dry-run and --check: leave it out to deploy or remove");
        }
    }

    /** Returns whether these functions are deployed in another number. */
    private static boolean isOfAnotherNumber(Plan plan, Path directory) {
        return Plan.read(directory)
                .filter(before -> before.platform().equals(plan.platform())
                        && before.wanted().cluster().equals(plan.wanted().cluster())
                        && before.wanted().deployments() != plan.wanted().deployments())
                .isPresent();
    }

    /** Removes everything ever created for a cluster, and the files of its directory. */
    public static Report remove(String name, Target target, String cluster, Path directory, boolean dryRun) {
        demandPlatform(target);
        try (Platform platform = Platforms.open(name, target)) {
            List<Change> changes = platform.remove(cluster, dryRun);
            if (!dryRun && Plan.read(directory).isPresent()) {
                ClusterFiles.remove(directory);
            }
            return new Report(name, cluster, List.of(), changes);
        }
    }
}
