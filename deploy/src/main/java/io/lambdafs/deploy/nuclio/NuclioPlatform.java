package io.lambdafs.deploy.nuclio;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.deploy.Access;
import io.lambdafs.deploy.Change;
import io.lambdafs.deploy.DeployFailure;
import io.lambdafs.deploy.FunctionsSpec;
import io.lambdafs.deploy.Platform;
import io.lambdafs.deploy.Problem;
import io.lambdafs.deploy.Target;
import io.lambdafs.deploy.Undo;
import io.lambdafs.deploy.Waiting;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Nuclio, with one Nuclio function for each deployment, found by its label. Confined to one thread. */
final class NuclioPlatform implements Platform {
    private static final String FUNCTION = "function";

    private final Target target;
    private final Dashboard dashboard;
    private final int waitSeconds;
    private final int maxReplicas;

    NuclioPlatform(Target target, Dashboard dashboard, int waitSeconds, int maxReplicas) {
        this.target = target;
        this.dashboard = dashboard;
        this.waitSeconds = waitSeconds;
        this.maxReplicas = maxReplicas;
    }

    private String project() {
        return target.option(NuclioProvider.PROJECT, "default");
    }

    private String secret(FunctionsSpec wanted) {
        return target.option(NuclioProvider.SECRET, wanted.cluster() + "-functions");
    }

    private NuclioFunction functions(FunctionsSpec wanted) {
        return new NuclioFunction(
                dashboard.namespace(),
                project(),
                secret(wanted),
                target.option(NuclioProvider.RUNTIME, "python:3.12"),
                maxReplicas);
    }

    @Override
    public List<Problem> check(FunctionsSpec wanted) {
        List<Problem> problems = new ArrayList<>();
        if (wanted.image().isEmpty()) {
            problems.add(Problem.fault(
                    Problem.Code.IMAGE,
                    "no image is given for the functions",
                    "make one with lambdafs image, push it where Nuclio's pods pull from, and name it with --image"));
        }
        if (wanted.secretFile() != null) {
            problems.add(Problem.advice(
                    Problem.Code.MISSING_PART,
                    "pods take the cluster's secret from the Secret " + secret(wanted) + " of namespace "
                            + dashboard.namespace() + ", which Nuclio's API cannot make",
                    "make it where it is missing: kubectl -n " + dashboard.namespace() + " create secret generic "
                            + secret(wanted) + " --from-file=secret=" + wanted.secretFile()));
        }
        if (target.isOffline()) {
            return problems;
        }
        try {
            for (Map.Entry<String, JsonNode> each : dashboard.functions().properties()) {
                if (FunctionsSpec.isFunction(wanted.cluster(), each.getKey())
                        && !isOurs(each.getValue(), wanted.cluster())) {
                    problems.add(Problem.fault(
                            Problem.Code.NAME_TAKEN,
                            "there is a function " + each.getKey() + " that is none of this cluster",
                            "name the cluster otherwise with --cluster, or remove it"));
                }
            }
            if (!dashboard.hasProject(project())) {
                problems.add(Problem.fault(
                        Problem.Code.CONFIGURATION,
                        "Nuclio has no project " + project(),
                        "make it in the dashboard, or name another one with --option project=NAME"));
            }
        } catch (DeployFailure failure) {
            problems.add(failure.problem());
        }
        return problems;
    }

    private static boolean isOurs(JsonNode function, String cluster) {
        return cluster.equals(function.path("metadata")
                .path("labels")
                .path(NuclioFunction.CLUSTER)
                .asText());
    }

    @Override
    public List<Change> apply(FunctionsSpec wanted, boolean dryRun) {
        NuclioFunction functions = functions(wanted);
        Undo undo = new Undo();
        List<Change> changes = new ArrayList<>();
        try {
            for (int i = 0; i < wanted.deployments(); i++) {
                changes.add(put(functions.of(wanted, i), dryRun, undo));
            }
            if (target.isOffline()) {
                return changes;
            }
            if (!dryRun && waitSeconds > 0) {
                awaitReady(changes);
            }
            for (String name : names(wanted.cluster())) {
                if (wanted.isSurplus(name)) {
                    changes.add(removed(name, dryRun));
                }
            }
            return changes;
        } catch (DeployFailure failure) {
            throw undo.undo(failure);
        }
    }

    private Change put(ObjectNode function, boolean dryRun, Undo undo) {
        String name = function.path("metadata").path("name").asText();
        if (target.isOffline()) {
            return new Change(Change.Kind.CREATED, FUNCTION, name, function.toPrettyString());
        }
        Optional<JsonNode> found = dashboard.function(name);
        boolean isSame =
                found.isPresent() && digest(found.get()).equals(digest(function)) && !isBroken(state(found.get()));
        if (isSame) {
            return new Change(Change.Kind.UNCHANGED, FUNCTION, name, function.toPrettyString());
        }
        if (!dryRun) {
            if (found.isEmpty()) {
                dashboard.create(function);
                undo.add(() -> dashboard.delete(name));
            } else {
                dashboard.update(function);
                undo.add(() -> dashboard.update(found.get().deepCopy()));
            }
        }
        Change.Kind kind = found.isEmpty() ? Change.Kind.CREATED : Change.Kind.UPDATED;
        return new Change(kind, FUNCTION, name, function.toPrettyString());
    }

    private static String digest(JsonNode function) {
        return function.path("metadata")
                .path("annotations")
                .path(NuclioFunction.DIGEST)
                .asText();
    }

    private static String state(JsonNode function) {
        return function.path("status").path("state").asText();
    }

    private static boolean isBroken(String state) {
        return state.equals("error") || state.equals("unhealthy");
    }

    /** Returns the cluster's functions in the order of their numbers. */
    private List<String> names(String cluster) {
        return FunctionsSpec.functions(
                cluster,
                dashboard.functions().properties().stream()
                        .filter(each -> isOurs(each.getValue(), cluster))
                        .map(Map.Entry::getKey));
    }

    private void awaitReady(List<Change> changes) {
        Waiting waiting = new Waiting("Nuclio", waitSeconds);
        for (Change each : changes) {
            waiting.until(
                    () -> each.kind() == Change.Kind.REMOVED || isReady(each.name()),
                    "function " + each.name() + " is not ready",
                    "it in the dashboard");
        }
    }

    private boolean isReady(String name) {
        JsonNode function = dashboard
                .function(name)
                .orElseThrow(() -> new DeployFailure(
                        Problem.Code.PLATFORM_FAILED, "function " + name + " is gone while Nuclio made it"));
        String state = state(function);
        if (isBroken(state)) {
            String message = function.path("status").path("message").asText();
            throw new DeployFailure(
                    Problem.Code.ofStart(message), "Nuclio says of function " + name + ": " + state + ", " + message);
        }
        return state.equals("ready") || state.equals("scaledToZero");
    }

    private Change removed(String name, boolean dryRun) {
        if (!dryRun) {
            dashboard.delete(name);
        }
        return new Change(Change.Kind.REMOVED, FUNCTION, name, "");
    }

    @Override
    public List<Change> remove(String cluster, boolean dryRun) {
        List<Change> changes = new ArrayList<>();
        for (String name : names(cluster)) {
            changes.add(removed(name, dryRun));
        }
        return changes;
    }

    @Override
    public Access access(FunctionsSpec wanted) {
        String url = target.option(
                NuclioProvider.URL, "http://nuclio-{function}." + dashboard.namespace() + ".svc.cluster.local:8080/");
        URI gateway = URI.create(url.replace("{function}", wanted.function(0)));
        return new Access("http", gateway, url, "", null, false, Map.of());
    }

    @Override
    public void close() {
        dashboard.close();
    }
}
