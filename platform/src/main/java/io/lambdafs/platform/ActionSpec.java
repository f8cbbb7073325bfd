package io.lambdafs.platform;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The specification of one function on a platform. Immutable; values are JSON's: strings, numbers, booleans, lists,
 * maps.
 *
 * @param name unique in its namespace
 * @param parameters added to the payload of every invocation, which may override them
 * @param environment passed to an instance once, at its initialisation (OpenWhisk's parameters with {@code init: true})
 * @param annotations for people and tools
 */
public record ActionSpec(
        String name,
        ActionExec exec,
        ActionLimits limits,
        Map<String, Object> parameters,
        Map<String, Object> environment,
        Map<String, Object> annotations) {
    private static final Pattern NAME = Pattern.compile("\\w([\\w@ .&-]{0,254}[\\w@.&-])?");

    public ActionSpec {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("The name of the entity contains illegal characters.");
        }
        parameters = sorted(parameters);
        environment = sorted(environment);
        annotations = sorted(annotations);
    }

    /** Returns a copy in one order for all processes, so that the same function gives the same text. */
    private static Map<String, Object> sorted(Map<String, Object> values) {
        return Collections.unmodifiableMap(new TreeMap<>(values));
    }

    public static ActionSpec of(String name, ActionExec exec, ActionLimits limits) {
        return new ActionSpec(name, exec, limits, Map.of(), Map.of(), Map.of());
    }

    /** Returns the same function with this environment for its instances. */
    public ActionSpec withEnvironment(Map<String, Object> values) {
        return new ActionSpec(name, exec, limits, parameters, values, annotations);
    }

    /** Returns the same function with these parameters for its invocations. */
    public ActionSpec withParameters(Map<String, Object> values) {
        return new ActionSpec(name, exec, limits, values, environment, annotations);
    }

    /** Returns the same function with other limits. */
    public ActionSpec withLimits(ActionLimits other) {
        return new ActionSpec(name, exec, other, parameters, environment, annotations);
    }
}
