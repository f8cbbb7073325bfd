package io.lambdafs.platform;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Converts {@link ActionSpec} to and from OpenWhisk's REST API. Stateless. */
public final class ActionJson {
    private ActionJson() {}

    /** Returns the body of {@code PUT actions/NAME}. */
    public static ObjectNode write(ActionSpec spec) {
        ObjectNode root = Json.object();
        ObjectNode exec = root.putObject("exec").put("kind", spec.exec().kind());
        putIfGiven(exec, "image", spec.exec().image());
        putIfGiven(exec, "main", spec.exec().main());
        putIfGiven(exec, "code", spec.exec().code());
        exec.put("binary", spec.exec().binary());
        root.putObject("limits")
                .put("timeout", spec.limits().timeoutMillis())
                .put("memory", spec.limits().memoryMb())
                .put("logs", spec.limits().logsMb())
                .put("concurrency", spec.limits().concurrency());
        ArrayNode parameters = root.putArray("parameters");
        spec.parameters().forEach((key, value) -> keyValue(parameters, key, value));
        spec.environment()
                .forEach((key, value) -> keyValue(parameters, key, value).put("init", true));
        ArrayNode annotations = root.putArray("annotations");
        spec.annotations().forEach((key, value) -> keyValue(annotations, key, value));
        return root;
    }

    /**
     * Reads the body of {@code PUT actions/NAME}.
     *
     * @param previous supplies the body's missing parts
     * @throws IllegalArgumentException when a part is missing or wrong
     */
    public static ActionSpec read(String name, ObjectNode body, Optional<ActionSpec> previous) {
        Map<String, Object> parameters = previous.map(ActionSpec::parameters).orElse(Map.of());
        Map<String, Object> environment = previous.map(ActionSpec::environment).orElse(Map.of());
        if (body.has("parameters")) {
            parameters = pairs(body, "parameters", false);
            environment = pairs(body, "parameters", true);
        }
        Map<String, Object> annotations = body.has("annotations")
                ? pairs(body, "annotations", false)
                : previous.map(ActionSpec::annotations).orElse(Map.of());
        return new ActionSpec(name, exec(body, previous), limits(body, previous), parameters, environment, annotations);
    }

    private static ActionExec exec(ObjectNode body, Optional<ActionSpec> previous) {
        JsonNode exec = body.path("exec");
        if (exec.isMissingNode()) {
            return previous.map(ActionSpec::exec).orElseThrow(() -> new IllegalArgumentException("exec undefined"));
        }
        return new ActionExec(
                exec.path("kind").asText(),
                exec.path("image").asText(),
                exec.path("main").asText(),
                exec.path("code").asText(),
                exec.path("binary").asBoolean());
    }

    private static ActionLimits limits(ObjectNode body, Optional<ActionSpec> previous) {
        ActionLimits base = previous.map(ActionSpec::limits).orElse(ActionLimits.defaults());
        JsonNode limits = body.path("limits");
        return new ActionLimits(
                number(limits, "timeout", base.timeoutMillis()),
                Math.toIntExact(number(limits, "memory", base.memoryMb())),
                Math.toIntExact(number(limits, "logs", base.logsMb())),
                Math.toIntExact(number(limits, "concurrency", base.concurrency())));
    }

    private static long number(JsonNode limits, String name, long otherwise) {
        JsonNode value = limits.path(name);
        if (value.isMissingNode() || value.isNull()) {
            return otherwise;
        }
        if (!value.isIntegralNumber() || !value.canConvertToInt()) {
            throw new IllegalArgumentException("limits." + name + " is not an integer: " + value);
        }
        return value.asLong();
    }

    private static Map<String, Object> pairs(ObjectNode body, String field, boolean init) {
        Map<String, Object> pairs = new LinkedHashMap<>();
        for (JsonNode pair : body.path(field)) {
            if (!pair.path("key").isTextual()) {
                throw new IllegalArgumentException(field + " must be a list of {\"key\", \"value\"}");
            }
            boolean wanted = field.equals("annotations") || pair.path("init").asBoolean() == init;
            if (wanted && !pair.path("value").isNull() && pair.has("value")) {
                pairs.put(pair.path("key").asText(), Json.mapper().convertValue(pair.path("value"), Object.class));
            }
        }
        return pairs;
    }

    private static ObjectNode keyValue(ArrayNode list, String key, Object value) {
        return list.addObject().put("key", key).set("value", Json.mapper().valueToTree(value));
    }

    private static void putIfGiven(ObjectNode node, String name, String value) {
        if (!value.isEmpty()) {
            node.put(name, value);
        }
    }
}
