package io.lambdafs.deploy.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.lambdafs.platform.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Validates an object by its CustomResourceDefinition as an API server does, strictly: unknown ones, wrong types,
 * missing
 * ones, bounds. As much of the schema's language as Knative's definitions use.
 */
final class CrdSchema {
    private final JsonNode schema;

    private CrdSchema(JsonNode schema) {
        this.schema = schema;
    }

    /** Knative Serving's Service, as its repository has it at v0.51.0 (module knative.dev/serving, config/core/300-resources). */
    static CrdSchema knativeService() {
        try (InputStream in = CrdSchema.class.getResourceAsStream("/knative/service.yaml")) {
            String yaml = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
            JsonNode crd = Json.mapper().valueToTree(Serialization.unmarshal(yaml, Map.class));
            for (JsonNode version : crd.path("spec").path("versions")) {
                if (version.path("name").asText().equals("v1")) {
                    return new CrdSchema(version.path("schema").path("openAPIV3Schema"));
                }
            }
            throw new IllegalStateException("no version v1");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the violations of an object; none if it passes. */
    List<String> violations(JsonNode object) {
        List<String> found = new ArrayList<>();
        check(object, schema, "", found);
        return found;
    }

    private static void check(JsonNode value, JsonNode schema, String path, List<String> found) {
        // The API server itself knows what metadata may hold.
        if (path.equals(".metadata")) {
            return;
        }
        if (schema.path("x-kubernetes-int-or-string").asBoolean()) {
            if (!value.isTextual() && !value.isIntegralNumber()) {
                found.add(path + " is neither a number nor text");
            }
            return;
        }
        switch (schema.path("type").asText()) {
            case "object" -> object(value, schema, path, found);
            case "array" -> {
                if (!value.isArray()) {
                    found.add(path + " is no array");
                }
                for (int i = 0; i < value.size(); i++) {
                    check(value.get(i), schema.path("items"), path + "[" + i + "]", found);
                }
            }
            case "string" -> {
                if (!value.isTextual()) {
                    found.add(path + " is no text");
                }
            }
            case "integer" -> {
                if (!value.isIntegralNumber()) {
                    found.add(path + " is no whole number");
                } else if (value.asLong() < schema.path("minimum").asLong(Long.MIN_VALUE)
                        || value.asLong() > schema.path("maximum").asLong(Long.MAX_VALUE)) {
                    found.add(path + " is out of bounds");
                }
            }
            case "boolean" -> {
                if (!value.isBoolean()) {
                    found.add(path + " is neither true nor false");
                }
            }
            default -> {
                if (!schema.path("x-kubernetes-preserve-unknown-fields").asBoolean()) {
                    found.add(path + " has a schema that this test does not know");
                }
            }
        }
    }

    private static void object(JsonNode value, JsonNode schema, String path, List<String> found) {
        if (!value.isObject()) {
            found.add(path + " is no object");
            return;
        }
        schema.path("required").forEach(name -> {
            if (!value.has(name.asText())) {
                found.add(path + "." + name.asText() + " is missing");
            }
        });
        for (Map.Entry<String, JsonNode> field : value.properties()) {
            String at = path + "." + field.getKey();
            JsonNode known = schema.path("properties").path(field.getKey());
            JsonNode others = schema.path("additionalProperties");
            if (!known.isMissingNode()) {
                check(field.getValue(), known, at, found);
            } else if (others.isObject()) {
                check(field.getValue(), others, at, found);
            } else if (!schema.path("x-kubernetes-preserve-unknown-fields").asBoolean()) {
                found.add(at + " is unknown");
            }
        }
    }
}
