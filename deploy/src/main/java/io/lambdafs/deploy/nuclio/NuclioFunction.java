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

    /** Differs from Nuclio's own ports in the same pod: 8080 to 8082, and 8090. */
    private static final int PORT = 8180;

    /** More than the largest request of a client. */
    private static final int MOST_BODY_BYTES = 2 << 20;

    private static final String TMP = "instance-tmp";
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
                .put("workerAvailabilityTimeoutMilliseconds", 0)
                .putObject("attributes")
                .put("maxRequestBodySize", MOST_BODY_BYTES);
        variable(
                spec.putArray("env"),
                "LAMBDAFS_CALL_SECONDS",
                Long.toString(wanted.timeout().toSeconds()));
        memory(spec.putObject("resources"), HANDLER_MB + WORKER_MB * wanted.concurrency());
        ObjectNode tmp = spec.putArray("volumes").addObject();
        tmp.putObject("volume").put("name", TMP).putObject("emptyDir").put("sizeLimit", "256Mi");
        // Nuclio mounts every volume in the handler too, which does not use this one.
        tmp.putObject("volumeMount").put("name", TMP).put("mountPath", "/var/tmp/lambdafs");
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
        wanted.environment().forEach((name, value) -> variable(variables, name, value));
        ObjectNode resources = container.putObject("resources");
        memory(resources, wanted.memoryMb());
        resources.withObject("/requests").put("cpu", "250m");
        container.putArray("volumeMounts").addObject().put("name", TMP).put("mountPath", "/tmp");
        ObjectNode security = container
                .putObject("securityContext")
                .put("allowPrivilegeEscalation", false)
                .put("readOnlyRootFilesystem", true)
                .put("runAsNonRoot", true);
        security.putObject("capabilities").putArray("drop").add("ALL");
        security.putObject("seccompProfile").put("type", "RuntimeDefault");
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
