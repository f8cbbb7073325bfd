package io.lambdafs.deploy.kubernetes;

import io.lambdafs.deploy.FunctionsSpec;
import io.lambdafs.model.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * The settings of instances' containers: variables from the cluster's ConfigMap and Secret. They are not files: on a
 * platform that gives volumes no group, containers could read a secret file only if all users could. Stateless.
 */
final class InstanceSettings {
    static final String CONFIGURATION = "function.json";
    static final String SECRET = "secret";

    /** The variable that gives an instance its pod's address to advertise. */
    static final Map<String, Object> ADVERTISED = Map.of(
            "name", "LAMBDAFS_ADVERTISED_HOST", "valueFrom", Map.of("fieldRef", Map.of("fieldPath", "status.podIP")));

    private InstanceSettings() {}

    /** The label of everything created. */
    static Map<String, Object> labels(FunctionsSpec wanted) {
        return Map.of(
                Cluster.LABEL,
                wanted.cluster(),
                "app.kubernetes.io/name",
                "lambdafs",
                "app.kubernetes.io/managed-by",
                "lambdafs");
    }

    /** Values of {@code shared.yaml}: a ConfigMap and a Secret of one name. */
    static Map<String, Object> shared(FunctionsSpec wanted, String name) {
        Map<String, Object> secret = wanted.secretFile() == null
                ? Map.of()
                : Map.of(
                        SECRET,
                        Base64.getEncoder().encodeToString(wanted.secret().getBytes(StandardCharsets.UTF_8)));
        return Map.of(
                "name",
                name,
                "labels",
                labels(wanted),
                "configuration",
                Map.of(CONFIGURATION, wanted.configuration()),
                "secret",
                secret);
    }

    /**
     * Returns a digest that changes with the configuration and the secret.
     *
     * @param more further text that it depends on
     */
    static String digest(FunctionsSpec wanted, String... more) {
        return Sha256.hex(wanted.configuration() + wanted.secret() + String.join("", more));
    }

    /**
     * Returns the variables of an instance's container, as a manifest lists them.
     *
     * @param shared the name of ConfigMap and Secret
     */
    static List<Map<String, Object>> environment(FunctionsSpec wanted, int deployment, String shared) {
        List<Map<String, Object>> list = new ArrayList<>();
        list.add(from("LAMBDAFS_CONFIG", "configMapKeyRef", shared, CONFIGURATION));
        if (wanted.secretFile() != null) {
            list.add(from("LAMBDAFS_SECRET", "secretKeyRef", shared, SECRET));
        }
        list.add(Map.of("name", "LAMBDAFS_DEPLOYMENT", "value", Integer.toString(deployment)));
        wanted.environment().forEach((name, value) -> list.add(Map.of("name", name, "value", value)));
        return list;
    }

    /** Returns a variable from a ConfigMap or Secret. */
    static Map<String, Object> from(String variable, String source, String name, String key) {
        return Map.of("name", variable, "valueFrom", Map.of(source, Map.of("name", name, "key", key)));
    }
}
