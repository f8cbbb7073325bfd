package io.lambdafs.deploy.kubernetes;

import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.lambdafs.deploy.Access;
import io.lambdafs.deploy.Change;
import io.lambdafs.deploy.DeployFailure;
import io.lambdafs.deploy.FunctionsSpec;
import io.lambdafs.deploy.Platform;
import io.lambdafs.deploy.Problem;
import io.lambdafs.deploy.Target;
import io.lambdafs.deploy.Undo;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A Knative Service for each function. Knative's autoscaler counts only HTTP requests, and clients send only a share of
 * theirs by HTTP. So an instance is full when its HTTP requests, on average over the autoscaler's window, reach that
 * share of the ConcurrencyLevel: this is the target. The ConcurrencyLevel itself is the hard limit. Confined to one
 * thread.
 */
final class KnativePlatform implements Platform {
    /** The minimum target that Knative accepts. */
    private static final double LEAST_TARGET = 0.01;

    private static final List<Kind> KINDS = List.of(Kind.CONFIG_MAP, Kind.SECRET, Kind.KNATIVE_SERVICE);
    private static final String SYSTEM = "knative-serving";

    private final Target target;
    private final Cluster cluster;
    private final int waitSeconds;

    KnativePlatform(Target target, Cluster cluster, int waitSeconds) {
        this.target = target;
        this.cluster = cluster;
        this.waitSeconds = waitSeconds;
    }

    @Override
    public List<Problem> check(FunctionsSpec wanted) {
        if (target.isOffline()) {
            return exposure(wanted, new ClusterChecks(cluster, wanted).image()).problems();
        }
        return ClusterChecks.of(cluster, wanted, checks -> {
            exposure(wanted, checks.image());
            APIResourceList known = cluster.client().getApiResources(Kind.KNATIVE_SERVICE.apiVersion());
            if (known == null) {
                checks.problems()
                        .add(Problem.fault(
                                Problem.Code.MISSING_PART,
                                "this Kubernetes has no Knative Serving",
                                "install it, or deploy with --platform kubernetes, which needs nothing"));
                return;
            }
            checks.namespace().rights(KINDS);
            if (checks.problems().stream().noneMatch(Problem::isFault)) {
                checks.names(Kind.KNATIVE_SERVICE, functions(wanted)).quota();
            }
            checks.problems().addAll(defaults(wanted, settings("config-defaults")));
            checks.problems().addAll(scale(wanted, settings("config-autoscaler")));
            checks.problems().addAll(features(settings("config-features")));
        });
    }

    /** Advises against functions that everyone may call. */
    private ClusterChecks exposure(FunctionsSpec wanted, ClusterChecks checks) {
        if (wanted.secretFile() == null && !KnativeProvider.isClusterLocal(target)) {
            checks.problems()
                    .add(Problem.advice(
                            Problem.Code.CONFIGURATION,
                            "without a secret the functions accept every call, and Knative gives them addresses outside the cluster",
                            "give a secretFile instead of insecure, or --option visibility=cluster-local"));
        }
        return checks;
    }

    /** Returns a ConfigMap of Knative's own configuration; empty if reading it is forbidden. */
    private Map<String, String> settings(String name) {
        try {
            ConfigMap map = cluster.client()
                    .configMaps()
                    .inNamespace(SYSTEM)
                    .withName(name)
                    .get();
            return map == null || map.getData() == null ? Map.of() : map.getData();
        } catch (KubernetesClientException e) {
            return Map.of();
        }
    }

    private List<Problem> scale(FunctionsSpec wanted, Map<String, String> settings) {
        int most = number(settings, "max-scale-limit", 0);
        int asked = KnativeProvider.maxScale(target);
        if (asked > 0 && asked < wanted.minInstances()) {
            return List.of(Problem.fault(
                    Problem.Code.CONFIGURATION,
                    "a function may have at most " + asked + " instances, and is to keep " + wanted.minInstances(),
                    "give a larger --option max-scale=N, or a smaller --min-instances"));
        }
        return most == 0 || (asked > 0 && asked <= most)
                ? List.of()
                : List.of(Problem.fault(
                        Problem.Code.QUOTA,
                        "a function may have at most " + most + " instances here, and "
                                + (asked == 0 ? "no limit is" : asked + " are") + " wanted",
                        "deploy with --option max-scale=" + most + ", or have max-scale-limit in config-autoscaler of "
                                + SYSTEM + " raised"));
    }

    private List<Problem> features(Map<String, String> settings) {
        String flag = "kubernetes.podspec-fieldref";
        return !KnativeProvider.advertisesPod(target)
                        || settings.getOrDefault(flag, "disabled").equals("enabled")
                ? List.of()
                : List.of(
                        Problem.fault(
                                Problem.Code.MISSING_PART,
                                "this Knative does not tell containers their pod's address",
                                "have " + flag + " in config-features of " + SYSTEM
                                        + " enabled, or leave out --option advertise=pod: instances then advertise the address of their route to the store"));
    }

    /** Compares the specification with the limits of Knative's configuration. */
    private static List<Problem> defaults(FunctionsSpec wanted, Map<String, String> settings) {
        List<Problem> problems = new ArrayList<>();
        int longest = number(settings, "max-revision-timeout-seconds", 600);
        if (wanted.timeout().toSeconds() > longest) {
            problems.add(Problem.fault(
                    Problem.Code.TIME_LIMIT,
                    "a call may take at most " + longest + " s here, and "
                            + wanted.timeout().toSeconds() + " s are wanted",
                    "raise max-revision-timeout-seconds in config-defaults of " + SYSTEM + ", or deploy with --timeout "
                            + longest));
        }
        int most = number(settings, "container-concurrency-max-limit", 1_000);
        if (wanted.concurrency() > most) {
            problems.add(Problem.fault(
                    Problem.Code.CONCURRENCY,
                    "an instance may serve at most " + most + " calls at once here, and " + wanted.concurrency()
                            + " are wanted",
                    "raise container-concurrency-max-limit in config-defaults of " + SYSTEM
                            + ", or deploy with --concurrency " + most));
        }
        return problems;
    }

    private static int number(Map<String, String> settings, String key, int otherwise) {
        String text = settings.getOrDefault(key, "");
        return text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : otherwise;
    }

    private static List<String> functions(FunctionsSpec wanted) {
        return IntStream.range(0, wanted.deployments())
                .mapToObj(wanted::function)
                .toList();
    }

    private static String shared(FunctionsSpec wanted) {
        return wanted.cluster() + "-functions";
    }

    /** Returns everything to send, in order. */
    static List<GenericKubernetesResource> manifests(FunctionsSpec wanted, Target target) {
        List<GenericKubernetesResource> all =
                new ArrayList<>(Manifests.render("shared.yaml", InstanceSettings.shared(wanted, shared(wanted))));
        for (int i = 0; i < wanted.deployments(); i++) {
            all.addAll(Manifests.render("knative-service.yaml", service(wanted, target, i)));
        }
        return all;
    }

    private static Map<String, Object> service(FunctionsSpec wanted, Target target, int deployment) {
        Map<String, Object> serviceLabels = new LinkedHashMap<>(InstanceSettings.labels(wanted));
        if (KnativeProvider.isClusterLocal(target)) {
            serviceLabels.put("networking.knative.dev/visibility", KnativeProvider.CLUSTER_LOCAL);
        }
        List<Map<String, Object>> environment =
                new ArrayList<>(InstanceSettings.environment(wanted, deployment, shared(wanted)));
        if (KnativeProvider.advertisesPod(target)) {
            environment.add(InstanceSettings.ADVERTISED);
        }
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("serviceLabels", serviceLabels);
        values.put("maxScale", Integer.toString(KnativeProvider.maxScale(target)));
        values.put("function", wanted.function(deployment));
        values.put("labels", InstanceSettings.labels(wanted));
        values.put("target", target(wanted));
        values.put("minScale", Integer.toString(wanted.minInstances()));
        values.put("digest", InstanceSettings.digest(wanted));
        values.put("concurrency", wanted.concurrency());
        values.put("timeoutSeconds", wanted.timeout().toSeconds());
        values.put("image", wanted.image());
        values.put("environment", environment);
        values.put("memory", wanted.memoryMb() + "Mi");
        return values;
    }

    /** Returns the average number of concurrent HTTP requests of a full instance. */
    static String target(FunctionsSpec wanted) {
        double target = Math.max(LEAST_TARGET, wanted.concurrency() * wanted.httpShare());
        return String.format(Locale.ROOT, "%.2f", target);
    }

    private static Kind kind(GenericKubernetesResource manifest) {
        return KINDS.stream()
                .filter(each -> each.kind().equals(manifest.getKind())
                        && each.apiVersion().equals(manifest.getApiVersion()))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public Set<String> architectures() {
        return cluster.architectures();
    }

    @Override
    public List<Change> apply(FunctionsSpec wanted, boolean dryRun) {
        List<GenericKubernetesResource> manifests = manifests(wanted, target);
        if (target.isOffline()) {
            return cluster.unasked(manifests);
        }
        Undo undo = new Undo();
        try {
            List<Change> changes = new ArrayList<>();
            List<String> stay = new ArrayList<>();
            for (GenericKubernetesResource each : manifests) {
                changes.add(cluster.apply(kind(each), each, dryRun, undo));
                stay.add(each.getKind() + "/" + each.getMetadata().getName());
            }
            if (!dryRun && waitSeconds > 0) {
                new KnativeReadiness(cluster, waitSeconds).await(functions(wanted));
            }
            changes.addAll(cluster.removeAll(KINDS, wanted.cluster(), stay, dryRun, undo));
            return changes;
        } catch (DeployFailure failure) {
            throw undo.undo(failure);
        }
    }

    @Override
    public List<Change> remove(String name, boolean dryRun) {
        return cluster.removeAll(
                List.of(Kind.KNATIVE_SERVICE, Kind.SECRET, Kind.CONFIG_MAP), name, List.of(), dryRun, new Undo());
    }

    @Override
    public Access access(FunctionsSpec wanted) {
        String inside = "http://{function}." + cluster.namespace() + ".svc.cluster.local/";
        String url = target.option(KnativeProvider.URL, KnativeProvider.isClusterLocal(target) ? inside : "");
        if (url.isEmpty()) {
            String function = wanted.function(0);
            GenericKubernetesResource first = Cluster.asking(
                    () -> cluster.resource(Kind.KNATIVE_SERVICE, function).get());
            String told = first == null ? null : first.get("status", "url");
            url = told == null ? inside : told.replace(function, "{function}") + "/";
        }
        URI gateway = URI.create(url.replace("{function}", wanted.function(0)));
        return new Access("http", gateway, url, "", null, false, Map.of());
    }

    @Override
    public void close() {
        cluster.close();
    }
}
