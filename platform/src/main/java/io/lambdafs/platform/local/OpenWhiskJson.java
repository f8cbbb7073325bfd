package io.lambdafs.platform.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.platform.ActionJson;
import io.lambdafs.platform.ActionLimits;
import io.lambdafs.platform.Json;
import io.lambdafs.platform.local.pool.Activation;
import io.lambdafs.platform.local.pool.Outcome;
import io.lambdafs.platform.local.pool.RegisteredAction;
import io.lambdafs.platform.local.pool.StartKind;
import java.util.Locale;

/** Writes actions and activations in the form of OpenWhisk's REST API. Immutable. */
final class OpenWhiskJson {
    private final String namespace;

    OpenWhiskJson(String namespace) {
        this.namespace = namespace;
    }

    ObjectNode action(RegisteredAction action) {
        return ActionJson.write(action.spec())
                .put("namespace", namespace)
                .put("name", action.name())
                .put("version", action.version())
                .put("publish", false)
                .put("updated", action.updatedMillis());
    }

    ObjectNode actionSummary(RegisteredAction action) {
        ObjectNode summary = action(action);
        summary.putObject("exec")
                .put("binary", action.spec().exec().binary())
                .put("kind", action.spec().exec().kind());
        summary.remove("parameters");
        return summary;
    }

    ObjectNode activation(Activation activation) {
        ObjectNode root = activationSummary(activation);
        root.put("subject", namespace);
        root.set("response", response(activation));
        root.putArray("logs");
        return root;
    }

    ObjectNode activationSummary(Activation activation) {
        RegisteredAction action = activation.action();
        ObjectNode root = Json.object()
                .put("namespace", namespace)
                .put("name", action.name())
                .put("version", action.version())
                .put("activationId", activation.id())
                .put("start", activation.startMillis())
                .put("end", activation.startMillis() + activation.durationMillis())
                .put("duration", activation.durationMillis())
                .put("statusCode", activation.outcome().code())
                .put("publish", false);
        ArrayNode annotations = root.putArray("annotations");
        annotate(annotations, "path", namespace + "/" + action.name());
        annotate(annotations, "kind", action.spec().exec().kind());
        annotate(annotations, "waitTime", activation.waitMillis());
        activation.initMillis().ifPresent(millis -> annotate(annotations, "initTime", millis));
        annotate(annotations, "coldStart", activation.startKind() == StartKind.COLD);
        annotate(annotations, "startKind", activation.startKind().name().toLowerCase(Locale.ROOT));
        annotate(annotations, "instance", activation.instanceId());
        ActionLimits limits = action.spec().limits();
        annotate(
                annotations,
                "limits",
                Json.object()
                        .put("concurrency", limits.concurrency())
                        .put("logs", limits.logsMb())
                        .put("memory", limits.memoryMb())
                        .put("timeout", limits.timeoutMillis()));
        return root;
    }

    /** Returns the body of {@code GET activations/ID/result}; a result goes to the waiting caller and is not kept. */
    ObjectNode response(Activation activation) {
        ObjectNode response = Json.object();
        response.set("result", Json.parseObject(activation.result()));
        return response.put("size", activation.resultBytes())
                .put("status", activation.outcome().text())
                .put("statusCode", activation.outcome().code())
                .put("success", activation.outcome() == Outcome.SUCCESS);
    }

    private static void annotate(ArrayNode annotations, String key, Object value) {
        JsonNode node = value instanceof JsonNode given ? given : Json.mapper().valueToTree(value);
        annotations.addObject().put("key", key).set("value", node);
    }
}
