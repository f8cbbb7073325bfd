package io.lambdafs.deploy.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.lambdafs.deploy.Access;
import io.lambdafs.deploy.Change;
import io.lambdafs.deploy.DeployFailure;
import io.lambdafs.deploy.FileFaults;
import io.lambdafs.deploy.FunctionsSpec;
import io.lambdafs.deploy.Platform;
import io.lambdafs.deploy.Problem;
import io.lambdafs.deploy.Target;
import io.lambdafs.deploy.Undo;
import io.lambdafs.deploy.Waiting;
import io.lambdafs.platform.ApiKey;
import io.lambdafs.rpc.auth.Secret;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * λFS's own gateway, whose instances are pods, for a store that runs elsewhere; the chart adds store and datanodes. The
 * first deployment creates the gateway's keys, which its Secret keeps; the clients' key comes from a file. Confined to
 * one thread.
 */
final class GatewayPlatform implements Platform {
    private static final List<Kind> KINDS = List.of(
            Kind.SECRET,
            Kind.CONFIG_MAP,
            Kind.SERVICE_ACCOUNT,
            Kind.ROLE,
            Kind.ROLE_BINDING,
            Kind.SERVICE,
            Kind.DEPLOYMENT);

    private static final List<String> NUMBERS = List.of(
            GatewayProvider.POOL, GatewayProvider.MAX_INSTANCES, GatewayProvider.REPLICAS, GatewayProvider.WAIT);

    private final Target target;
    private final @Nullable Path keyFile;
    private final Cluster cluster;

    GatewayPlatform(Target target, @Nullable Path keyFile, Cluster cluster) {
        this.target = target;
        this.keyFile = keyFile;
        this.cluster = cluster;
    }

    @Override
    public List<Problem> check(FunctionsSpec wanted) {
        if (target.isOffline()) {
            ClusterChecks checks = new ClusterChecks(cluster, wanted).image();
            numbers(checks);
            return checks.problems();
        }
        return ClusterChecks.of(cluster, wanted, checks -> {
            checks.image().namespace().rights(KINDS);
            if (checks.problems().stream().noneMatch(Problem::isFault)) {
                String name = GatewayManifests.name(wanted.cluster());
                KINDS.forEach(kind -> checks.names(kind, List.of(name)));
                checks.quota();
            }
            numbers(checks);
        });
    }

    private void numbers(ClusterChecks checks) {
        for (String key : NUMBERS) {
            if (!target.option(key, "1").matches("[0-9]{1,8}")) {
                checks.problems()
                        .add(Problem.fault(
                                Problem.Code.CONFIGURATION,
                                "the option " + key + " is \"" + target.option(key, "") + "\"",
                                "give a whole number"));
            }
        }
    }

    @Override
    public Set<String> architectures() {
        return cluster.architectures();
    }

    @Override
    public List<Change> apply(FunctionsSpec wanted, boolean dryRun) {
        GatewayManifests manifests =
                new GatewayManifests(wanted, target, cluster.namespace(), keys(wanted.cluster(), dryRun));
        if (target.isOffline()) {
            return cluster.unasked(manifests.all());
        }
        Undo undo = new Undo();
        try {
            List<Change> changes = new ArrayList<>();
            for (GenericKubernetesResource each : manifests.all()) {
                changes.add(cluster.apply(kind(each), each, dryRun, undo));
            }
            int seconds = Integer.parseInt(target.option(GatewayProvider.WAIT, "120"));
            if (!dryRun && seconds > 0) {
                awaitAvailable(wanted.cluster(), seconds);
            }
            return changes;
        } catch (DeployFailure failure) {
            throw undo.undo(failure);
        }
    }

    private static Kind kind(GenericKubernetesResource manifest) {
        return KINDS.stream()
                .filter(each -> each.kind().equals(manifest.getKind()))
                .findFirst()
                .orElseThrow();
    }

    /** Returns the gateway's keys; new ones if it has none, or placeholders in a dry run. */
    private Map<String, String> keys(String name, boolean dryRun) {
        GenericKubernetesResource secret = target.isOffline()
                ? null
                : Cluster.asking(() -> cluster.resource(Kind.SECRET, GatewayManifests.name(name))
                        .get());
        Map<String, String> keys = new TreeMap<>();
        keys.put("apikey", apiKey(dryRun));
        keys.put("managementkey", kept(secret, "managementkey", "manager:" + random(dryRun)));
        keys.put("actionkey", kept(secret, "actionkey", random(dryRun)));
        return keys;
    }

    private static String kept(@Nullable GenericKubernetesResource secret, String key, String otherwise) {
        String encoded = secret == null ? null : secret.get("data", key);
        return encoded == null ? otherwise : new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
    }

    private static String random(boolean dryRun) {
        if (dryRun) {
            return "made-by-deploy";
        }
        byte[] bytes = new byte[Secret.BYTES];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** Returns the key of the file, which is created if it is missing. */
    private String apiKey(boolean dryRun) {
        try {
            Path file = keyFile;
            boolean isThere = file != null && Files.exists(file);
            if (file == null || (dryRun && !isThere)) {
                return "lambdafs:" + random(true);
            }
            if (!isThere) {
                ApiKey.random(new SecureRandom()).writeTo(file);
            }
            ApiKey.fromFile(file);
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw FileFaults.of(
                    Problem.Code.CONFIGURATION, "cannot use the clients' key", e, "name its file with --auth-file");
        }
    }

    private void awaitAvailable(String clusterName, int seconds) {
        String name = GatewayManifests.name(clusterName);
        Map<String, String> labels = Map.of(Cluster.LABEL, clusterName, "app.kubernetes.io/component", "gateway");
        new Waiting("the gateway", seconds)
                .until(
                        () -> isAvailable(name, labels),
                        "the gateway is not available",
                        "kubectl describe deployment " + name);
    }

    private boolean isAvailable(String name, Map<String, String> labels) {
        GenericKubernetesResource deployment =
                Cluster.asking(() -> cluster.resource(Kind.DEPLOYMENT, name).get());
        if (deployment != null) {
            PodTroubles.of(cluster, deployment, labels).ifPresent(trouble -> {
                throw trouble;
            });
        }
        String wanted = Integer.toString(GatewayManifests.replicas(target));
        Object observed = deployment == null ? null : deployment.get("status", "observedGeneration");
        Object available = deployment == null ? null : deployment.get("status", "availableReplicas");
        Object updated = deployment == null ? null : deployment.get("status", "updatedReplicas");
        return deployment != null
                && String.valueOf(deployment.getMetadata().getGeneration()).equals(String.valueOf(observed))
                && wanted.equals(String.valueOf(available))
                && wanted.equals(String.valueOf(updated));
    }

    @Override
    public List<Change> remove(String name, boolean dryRun) {
        List<Kind> backwards = new ArrayList<>(KINDS);
        Collections.reverse(backwards);
        return cluster.removeAll(backwards, name, List.of(), dryRun, new Undo());
    }

    @Override
    public Access access(FunctionsSpec wanted) {
        String url = target.option(
                GatewayProvider.URL,
                "http://" + GatewayManifests.name(wanted.cluster()) + "." + cluster.namespace() + ".svc:"
                        + GatewayManifests.PORT);
        return new Access("openwhisk", URI.create(url), "", "_", keyFile, true, Map.of());
    }

    @Override
    public void close() {
        cluster.close();
    }
}
