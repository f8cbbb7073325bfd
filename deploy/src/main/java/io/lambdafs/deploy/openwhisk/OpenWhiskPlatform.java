package io.lambdafs.deploy.openwhisk;

import io.lambdafs.deploy.Access;
import io.lambdafs.deploy.Change;
import io.lambdafs.deploy.DeployFailure;
import io.lambdafs.deploy.FunctionsSpec;
import io.lambdafs.deploy.Platform;
import io.lambdafs.deploy.Problem;
import io.lambdafs.deploy.Target;
import io.lambdafs.deploy.Undo;
import io.lambdafs.model.Sha256;
import io.lambdafs.platform.ActionExec;
import io.lambdafs.platform.ActionJson;
import io.lambdafs.platform.ActionLimits;
import io.lambdafs.platform.ActionSpec;
import io.lambdafs.platform.ApiKey;
import io.lambdafs.platform.Json;
import io.lambdafs.platform.openwhisk.OpenWhiskDeployer;
import io.lambdafs.rpc.http.HttpClient;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/**
 * OpenWhisk, with one action in a namespace for each function. Our actions have the annotation {@value #CLUSTER}, which
 * identifies them, and a digest of their specification, as a platform may return parameters in another form than it
 * took them. Confined to one thread.
 */
final class OpenWhiskPlatform implements Platform {
    private static final String CLUSTER = "lambdafs-cluster";
    private static final String DIGEST = "lambdafs-digest";
    private static final String BLACKBOX = "blackbox";
    private static final String ACTION = "action";
    private static final int LOGS_MB = 10;
    private static final Duration LIMIT = Duration.ofSeconds(70);

    private final Target target;
    private final URI host;
    private final String kind;
    private final HttpClient http;
    private final OpenWhiskDeployer actions;

    OpenWhiskPlatform(Target target, URI host, ApiKey key, HttpClient http) {
        this.target = target;
        this.host = host;
        this.kind = target.option(OpenWhiskProvider.KIND, BLACKBOX);
        this.http = http;
        this.actions = new OpenWhiskDeployer(http, host, namespace(), key, proves(), LIMIT);
    }

    private String namespace() {
        return target.namespace().isEmpty() ? "_" : target.namespace();
    }

    private boolean proves() {
        return target.option(OpenWhiskProvider.PROOF, "false").equals("true");
    }

    @Override
    public List<Problem> check(FunctionsSpec wanted) {
        List<Problem> problems = new ArrayList<>();
        if (kind.equals(BLACKBOX) && wanted.image().isEmpty()) {
            problems.add(
                    Problem.fault(
                            Problem.Code.IMAGE,
                            "no image is given for the functions",
                            "make one with lambdafs image --role instance, push it where OpenWhisk pulls from, and name it with --image"));
        }
        try {
            for (String name : names(wanted.cluster())) {
                Optional<ActionSpec> found = await(actions.get(name));
                if (found.isPresent() && !isOurs(found.get(), wanted.cluster())) {
                    problems.add(Problem.fault(
                            Problem.Code.NAME_TAKEN,
                            "there is an action " + name + " that is none of this cluster",
                            "name the cluster otherwise with --cluster, or remove that action"));
                }
            }
            problems.addAll(new OpenWhiskLimits(await(actions.limits()), await(actions.frontPage())).compare(wanted));
        } catch (DeployFailure failure) {
            problems.add(failure.problem());
        }
        return problems;
    }

    /** Returns the actions named like functions of the cluster, in the order of their numbers. */
    private List<String> names(String cluster) {
        return FunctionsSpec.functions(cluster, await(actions.list()).stream());
    }

    private static boolean isOurs(ActionSpec found, String cluster) {
        return cluster.equals(found.annotations().get(CLUSTER));
    }

    @Override
    public List<Change> apply(FunctionsSpec wanted, boolean dryRun) {
        Undo undo = new Undo();
        try {
            List<Change> changes = new ArrayList<>();
            for (int i = 0; i < wanted.deployments(); i++) {
                changes.add(put(spec(wanted, wanted.function(i)), dryRun, undo));
            }
            for (String name : names(wanted.cluster())) {
                if (wanted.isSurplus(name)) {
                    changes.addAll(remove(name, wanted.cluster(), dryRun, undo));
                }
            }
            boolean changed = changes.stream().anyMatch(each -> each.kind() != Change.Kind.UNCHANGED);
            if (changed
                    && !dryRun
                    && !target.option(OpenWhiskProvider.PROBE, "true").equals("false")) {
                probe(wanted.function(0));
            }
            return changes;
        } catch (DeployFailure failure) {
            throw undo.undo(failure);
        }
    }

    private Change put(ActionSpec spec, boolean dryRun, Undo undo) {
        Optional<ActionSpec> found = await(actions.get(spec.name()));
        if (found.isPresent() && isAlready(found.get(), spec)) {
            return change(Change.Kind.UNCHANGED, spec);
        }
        if (!dryRun) {
            await(actions.put(spec));
            undo.add(() -> {
                if (found.isPresent()) {
                    await(actions.put(found.get()));
                } else {
                    await(actions.remove(spec.name()));
                }
            });
        }
        return change(found.isPresent() ? Change.Kind.UPDATED : Change.Kind.CREATED, spec);
    }

    private static boolean isAlready(ActionSpec found, ActionSpec wanted) {
        return Objects.equals(
                        found.annotations().get(DIGEST), wanted.annotations().get(DIGEST))
                && found.limits().equals(wanted.limits())
                && found.exec().kind().equals(wanted.exec().kind())
                && found.exec().image().equals(wanted.exec().image());
    }

    private static Change change(Change.Kind kind, ActionSpec spec) {
        Map<String, Object> shown = new TreeMap<>(spec.environment());
        shown.replaceAll((key, value) -> key.equals("LAMBDAFS_SECRET") ? "(secret)" : value);
        return new Change(
                kind,
                ACTION,
                spec.name(),
                ActionJson.write(spec.withEnvironment(shown)).toString());
    }

    /** Calls a function once: only a call shows whether its image exists and runs here. */
    private void probe(String name) {
        OpenWhiskDeployer.Outcome outcome = await(actions.invoke(name, "{\"v\":1,\"token\":\"\",\"tcp\":[]}"));
        if (outcome.status() != 200) {
            throw Faults.ofCall(name, outcome);
        }
    }

    private ActionSpec spec(FunctionsSpec wanted, String name) {
        Map<String, Object> environment = new TreeMap<>(wanted.environment());
        environment.put("LAMBDAFS_CONFIG", wanted.configuration());
        if (wanted.secretFile() != null) {
            environment.put("LAMBDAFS_SECRET", wanted.secret());
        }
        ActionSpec spec = new ActionSpec(
                name,
                new ActionExec(kind, kind.equals(BLACKBOX) ? wanted.image() : "", "", "", false),
                new ActionLimits(wanted.timeout().toMillis(), wanted.memoryMb(), LOGS_MB, wanted.concurrency()),
                Map.of(),
                environment,
                Map.of(CLUSTER, wanted.cluster()));
        return new ActionSpec(
                name,
                spec.exec(),
                spec.limits(),
                Map.of(),
                environment,
                Map.of(CLUSTER, wanted.cluster(), DIGEST, digest(spec)));
    }

    private static String digest(ActionSpec spec) {
        try {
            Map<String, Object> sorted = new TreeMap<>(spec.environment());
            return Sha256.hex(Json.mapper().writeValueAsString(List.of(spec.exec(), spec.limits(), sorted)));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public List<Change> remove(String cluster, boolean dryRun) {
        List<Change> changes = new ArrayList<>();
        Undo none = new Undo();
        for (String name : names(cluster)) {
            changes.addAll(remove(name, cluster, dryRun, none));
        }
        return changes;
    }

    private List<Change> remove(String name, String cluster, boolean dryRun, Undo undo) {
        Optional<ActionSpec> found = await(actions.get(name));
        if (found.isEmpty() || !isOurs(found.get(), cluster)) {
            return List.of();
        }
        if (!dryRun) {
            await(actions.remove(name));
            undo.add(() -> await(actions.put(found.get())));
        }
        return List.of(new Change(Change.Kind.REMOVED, ACTION, name, ""));
    }

    @Override
    public Access access(FunctionsSpec wanted) {
        return new Access("openwhisk", host, "", namespace(), target.authFile(), proves(), Map.of());
    }

    private <T> T await(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get();
        } catch (ExecutionException e) {
            throw Faults.of(e.getCause() == null ? e : e.getCause(), host);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DeployFailure(Problem.Code.PLATFORM_FAILED, "interrupted while asking " + host, e);
        }
    }

    @Override
    public void close() {
        http.close();
    }
}
