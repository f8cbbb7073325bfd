package io.lambdafs.deploy.aws;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The CloudFormation template synthesised by {@code aws-setup}, and its parts for given parameters. Immutable. */
public final class Template {
    /** CloudFormation's limit of a template in the request. */
    private static final int MAX_BYTES = 51_200;

    private final JsonNode tree;

    private Template(JsonNode tree) {
        this.tree = tree;
    }

    /**
     * A part of the stack.
     *
     * @param type in CloudFormation's words
     */
    public record Part(String id, String type, JsonNode properties) {}

    /** Returns the template shipped with this program. */
    public static Template shipped() {
        return shipped("lambdafs");
    }

    static Template shipped(String name) {
        String file = "/" + name + ".template.json";
        try (InputStream in = Template.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IOException("this program has no " + file);
            }
            return new Template(new ObjectMapper().readTree(in));
        } catch (IOException e) {
            throw new FsException(ErrorCode.UNSUPPORTED, "cannot read the template: " + e.getMessage(), e);
        }
    }

    /** Returns the text to send. */
    public String text() {
        String text = tree.toString();
        if (text.length() > MAX_BYTES) {
            throw new FsException(
                    ErrorCode.THROTTLED,
                    "the template is " + text.length() + " bytes, CloudFormation takes " + MAX_BYTES);
        }
        return text;
    }

    /**
     * Returns all parameters, with defaults.
     *
     * @throws FsException if a parameter is unknown or its value not allowed
     */
    public Map<String, String> parameters(Map<String, String> given) {
        Map<String, String> all = new TreeMap<>();
        tree.path("Parameters").properties().forEach(each -> {
            JsonNode known = each.getValue();
            if (known.path("Type").asText().startsWith("AWS::SSM::")) {
                // A name that CloudFormation resolves itself.
                return;
            }
            String value =
                    given.getOrDefault(each.getKey(), known.path("Default").asText());
            List<String> allowed = new ArrayList<>();
            known.path("AllowedValues").forEach(one -> allowed.add(one.asText()));
            if (!allowed.isEmpty() && !allowed.contains(value)) {
                throw FsException.invalidArgument(
                        each.getKey() + " must be one of " + String.join(", ", allowed) + ", not \"" + value + "\"");
            }
            all.put(each.getKey(), value);
        });
        given.keySet().stream().filter(key -> !all.containsKey(key)).findFirst().ifPresent(unknown -> {
            throw FsException.invalidArgument(
                    "there is no parameter " + unknown + "; there are " + String.join(", ", all.keySet()));
        });
        return all;
    }

    /** Returns the parts that these parameters create. */
    public List<Part> parts(Map<String, String> given) {
        Map<String, String> values = parameters(given);
        List<Part> parts = new ArrayList<>();
        tree.path("Resources").properties().forEach(each -> {
            JsonNode condition = each.getValue().path("Condition");
            if (condition.isMissingNode() || holds(condition.asText(), values)) {
                parts.add(new Part(
                        each.getKey(),
                        each.getValue().path("Type").asText(),
                        each.getValue().path("Properties")));
            }
        });
        return parts;
    }

    /** Evaluates a condition, which in this template compares a parameter with a value. */
    private boolean holds(String condition, Map<String, String> values) {
        JsonNode sides = tree.path("Conditions").path(condition).path("Fn::Equals");
        if (sides.size() != 2 || !sides.get(0).has("Ref")) {
            throw new IllegalStateException("condition " + condition + " is none that is understood here");
        }
        return sides.get(1).asText().equals(values.get(sides.get(0).path("Ref").asText()));
    }
}
