package io.lambdafs.deploy.nuclio;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.deploy.FunctionsSpec;
import io.lambdafs.model.Sha256;
import io.lambdafs.platform.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The manifest of a Nuclio function: a short Python handler that forwards calls, and the instance's image as a sidecar
 * container in the same pod. Nuclio's own Java runtime would start a JVM, and thus an instance, for each concurrent
 * call.
 *
 * @param project project of the function
 * @param secret the Kubernetes Secret whose key {@code secret} is the cluster's secret
 * @param runtime runtime of the handler
 */
record NuclioFunction(String namespace, String project, String secret, String runtime, int maxReplicas) {
    static final String CLUSTER = "lambdafs.io/cluster";
    static final String DIGEST = "lambdafs.io/digest";
    private static final int PORT = 8090;
    private static final int HANDLER_MB = 128;
    private static final int WORKER_MB = 24;

    /** Returns the manifest for the dashboard or {@code nuctl deploy --file}. */
    ObjectNode of(FunctionsSpec wanted, int deployment) {
        String name = wanted.function(deployment);
        ObjectNode function = Json.object().put("apiVersion", "nuclio.io/v1").put("kind", "NuclioFunction");
        ObjectNode metadata = function.putObject("metadata").put("name", name).put("namespace", namespace);
        metadata.putObject("labels").put("nuclio.io/project-name", project).put(CLUSTER, wanted.cluster());
        ObjectNode spec = function.putObject("spec")
                .put("description", "NameNode " + deployment + " of the λFS " + wanted.cluster())
                .put("handler", "main:handler")
                .put("runtime", runtime)
                .put("minReplicas", wanted.minInstances())
                .put("maxReplicas", Math.max(maxReplicas, wanted.minInstances()))
                .put("eventTimeout", wanted.timeout().toSeconds() + "s");
        spec.putObject("build")
                .put("codeEntryType", "sourceCode")
                .put("functionSourceCode", Base64.getEncoder().encodeToString(handler()));
        spec.putObject("triggers")
                .putObject("http")
                .put("kind", "http")
                .put("name", "http")
                .put("numWorkers", wanted.concurrency())
                .put("workerAvailabilityTimeoutMilliseconds", 0);
        variable(
                spec.putArray("env"),
                "LAMBDAFS_CALL_SECONDS",
                Long.toString(wanted.timeout().toSeconds()));
        memory(spec.putObject("resources"), HANDLER_MB + WORKER_MB * wanted.concurrency());
        spec.putArray("sidecars").add(instance(wanted, deployment));
        metadata.putObject("annotations").put(DIGEST, digest(function));
        return function;
    }

    private ObjectNode instance(FunctionsSpec wanted, int deployment) {
        ObjectNode container = Json.object().put("name", "instance").put("image", wanted.image());
        container.putArray("command").add("java").add("@/app/roles/instance");
        ArrayNode variables = container.putArray("env");
        variable(variables, "LAMBDAFS_CONFIG", wanted.configuration());
        variable(variables, "LAMBDAFS_DEPLOYMENT", Integer.toString(deployment));
        variable(variables, "LAMBDAFS_ACTION_PORT", Integer.toString(PORT));
        if (wanted.secretFile() != null) {
            from(variables, "LAMBDAFS_SECRET", "secretKeyRef")
                    .put("name", secret)
                    .put("key", "secret");
        }
        from(variables, "LAMBDAFS_ADVERTISED_HOST", "fieldRef").put("fieldPath", "status.podIP");
        new TreeMap<>(wanted.environment()).forEach((name, value) -> variable(variables, name, value));
        memory(container.putObject("resources"), wanted.memoryMb());
        container
                .putObject("securityContext")
                .put("allowPrivilegeEscalation", false)
                .put("runAsNonRoot", true)
                .putObject("capabilities")
                .putArray("drop")
                .add("ALL");
        return container;
    }

    private static void variable(ArrayNode variables, String name, String value) {
        variables.addObject().put("name", name).put("value", value);
    }

    private static ObjectNode from(ArrayNode variables, String name, String source) {
        return variables.addObject().put("name", name).putObject("valueFrom").putObject(source);
    }

    private static void memory(ObjectNode resources, int megabytes) {
        resources.putObject("requests").put("memory", megabytes + "Mi");
        resources.putObject("limits").put("memory", megabytes + "Mi");
    }

    static byte[] handler() {
        try (InputStream in = NuclioFunction.class.getResourceAsStream("handler.py")) {
            return Objects.requireNonNull(in).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String digest(ObjectNode function) {
        return Sha256.hex(function.toString());
    }
}
