package io.lambdafs.deploy.kubernetes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.lambdafs.deploy.FunctionsSpec;
import io.lambdafs.deploy.Target;
import io.lambdafs.platform.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The objects of a gateway whose instances are pods, as in the chart, for a store that runs elsewhere. Immutable.
 *
 * @param keys of the gateway: {@code apikey}, {@code managementkey}, {@code actionkey}
 */
record GatewayManifests(FunctionsSpec wanted, Target target, String namespace, Map<String, String> keys) {
    static final int PORT = 8080;
    private static final String FOLDER = "/etc/lambdafs/";
    private static final String KEYS = "/etc/lambdafs-secret/";
    private static final String COMPONENT = "app.kubernetes.io/component";
    private static final String INSTANCE = "app.kubernetes.io/instance";

    static String name(String cluster) {
        return cluster + "-gateway";
    }

    static int replicas(Target target) {
        return Integer.parseInt(target.option(GatewayProvider.REPLICAS, "1"));
    }

    private String name() {
        return name(wanted.cluster());
    }

    /** Returns all of them, in order of creation. */
    List<GenericKubernetesResource> all() {
        Map<String, String> files = files();
        Map<String, Object> values = new HashMap<>(common());
        values.put("name", name());
        values.put("names", List.of(name()));
        values.put("namespace", namespace);
        values.put("serviceType", target.option(GatewayProvider.SERVICE, "ClusterIP"));
        values.put("selector", labels("gateway"));
        Map<String, Object> leader = labels("gateway");
        leader.put("lambdafs.io/leader", "true");
        values.put("leader", leader);
        values.put("replicas", replicas(target));
        values.put("files", files);
        values.put("keys", secrets());
        values.put("digest", InstanceSettings.digest(wanted, files.toString(), new TreeMap<>(keys).toString()));
        values.put("gatewayVolumes", volumes(List.copyOf(secrets().keySet())));
        return Manifests.render("gateway.yaml", values);
    }

    private Map<String, Object> common() {
        Map<String, Object> values = new HashMap<>();
        values.put("labels", InstanceSettings.labels(wanted));
        values.put("image", wanted.image());
        values.put(
                "podSecurity",
                Map.of(
                        "runAsNonRoot",
                        true,
                        "runAsUser",
                        10_001,
                        "runAsGroup",
                        10_001,
                        "fsGroup",
                        10_001,
                        "seccompProfile",
                        Map.of("type", "RuntimeDefault")));
        values.put(
                "containerSecurity",
                Map.of(
                        "allowPrivilegeEscalation",
                        false,
                        "readOnlyRootFilesystem",
                        true,
                        "capabilities",
                        Map.of("drop", List.of("ALL"))));
        values.put(
                "mounts",
                List.of(
                        Map.of("name", "config", "mountPath", "/etc/lambdafs", "readOnly", true),
                        Map.of("name", "secret", "mountPath", "/etc/lambdafs-secret", "readOnly", true),
                        Map.of("name", "tmp", "mountPath", "/tmp")));
        return values;
    }

    private Map<String, Object> labels(String component) {
        Map<String, Object> labels = new TreeMap<>(InstanceSettings.labels(wanted));
        labels.put(COMPONENT, component);
        labels.put(INSTANCE, wanted.cluster());
        return labels;
    }

    private List<Map<String, Object>> volumes(List<String> items) {
        List<Map<String, Object>> paths = items.stream()
                .sorted()
                .map(each -> Map.<String, Object>of("key", each, "path", each))
                .toList();
        return List.of(
                Map.of("name", "config", "configMap", Map.of("name", name())),
                Map.of("name", "secret", "secret", Map.of("secretName", name(), "defaultMode", 0400, "items", paths)),
                Map.of("name", "tmp", "emptyDir", Map.of("sizeLimit", "256Mi")));
    }

    private Map<String, String> secrets() {
        Map<String, String> encoded = new TreeMap<>();
        keys.forEach((key, value) -> encoded.put(key, base64(value)));
        if (wanted.secretFile() != null) {
            encoded.put(InstanceSettings.SECRET, base64(wanted.secret()));
        }
        return encoded;
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the files that gateway and instances read. */
    private Map<String, String> files() {
        Map<String, String> files = new LinkedHashMap<>();
        ObjectNode function = Json.parseObject(wanted.configuration().getBytes(StandardCharsets.UTF_8));
        if (wanted.secretFile() != null) {
            function.put("secretFile", KEYS + InstanceSettings.SECRET);
        }
        files.put("function.json", function.toString());
        files.put("gateway.json", gateway().toString());
        files.put("kubernetes.json", kubernetes().toString());
        files.put("pod.yaml", pod());
        return files;
    }

    private ObjectNode gateway() {
        ObjectNode gateway = Json.object()
                .put("listenAddress", "0.0.0.0")
                .put("port", PORT)
                .put("apiKeyFile", KEYS + "apikey")
                .put("managementKeyFile", KEYS + "managementkey")
                .put("directory", "/tmp/gateway")
                .put("startLimitMillis", 60_000);
        gateway.putObject("pool")
                .put("memoryMb", Integer.parseInt(target.option(GatewayProvider.POOL, "8192")))
                .put("maxInstances", Integer.parseInt(target.option(GatewayProvider.MAX_INSTANCES, "16")))
                .put("keepAliveMillis", 30_000)
                .put("prewarm", 1)
                .put("startConcurrency", 4)
                .put("stopGraceMillis", 5_000)
                .put("queueLimit", 4_096)
                .put("queueWaitMillis", 15_000);
        gateway.putObject("throttle").put("perMinute", Integer.MAX_VALUE).put("inFlight", 4_096);
        return gateway;
    }

    private ObjectNode kubernetes() {
        return Json.object()
                .put("gateway", FOLDER + "gateway.json")
                .put("deployment", name())
                .put("lease", name())
                .put("podTemplate", FOLDER + "pod.yaml")
                .put("actionKeyFile", KEYS + "actionkey")
                .put("port", PORT)
                .put("kind", "java:namenode")
                .put("actionPrefix", wanted.prefix())
                .put("deployments", wanted.deployments())
                .put("memoryMb", wanted.memoryMb())
                .put("concurrency", wanted.concurrency())
                .put("timeoutMillis", wanted.timeout().toMillis());
    }

    private String pod() {
        Map<String, Object> values = new HashMap<>(common());
        values.put("labels", labels("instance"));
        List<Map<String, Object>> environment = new ArrayList<>();
        environment.add(Map.of("name", "LAMBDAFS_CONF", "value", FOLDER + "function.json"));
        environment.add(Map.of("name", "LAMBDAFS_ACTION_PORT", "value", Integer.toString(PORT)));
        environment.add(InstanceSettings.ADVERTISED);
        environment.add(InstanceSettings.from("LAMBDAFS_ACTION_KEY", "secretKeyRef", name(), "actionkey"));
        wanted.environment().forEach((name, value) -> environment.add(Map.of("name", name, "value", value)));
        values.put("environment", environment);
        values.put(
                "instanceVolumes",
                volumes(wanted.secretFile() == null ? List.of("actionkey") : List.of(InstanceSettings.SECRET)));
        return Serialization.asYaml(
                Manifests.render("instance-pod.yaml", values).get(0));
    }
}
