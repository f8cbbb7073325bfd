package io.lambdafs.hammer.scale;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.hammer.workload.Texts;
import io.lambdafs.hammer.workload.YamlFile;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Nearest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads {@code scale.yaml} and its overrides: a scenario, a file, single values. Stateless. */
final class ScaleFile {
    /** The built-in scenarios. */
    static final List<String> SCENARIOS =
            List.of("paper-25k", "paper-50k", "hot-directory", "times-10", "times-100", "local");

    /** Counts that must be at least 1. */
    private static final List<String> COUNTS = List.of(
            "namespace.directories",
            "namespace.files-per-directory",
            "clients.processes",
            "clients.processors",
            "clients.window",
            "platform.deployments",
            "platform.max-instances",
            "platform.start-concurrency",
            "platform.gateway-processors",
            "instance.memory-mb",
            "instance.concurrency",
            "store.shards",
            "store.processors");

    private ScaleFile() {}

    /**
     * Reads all values.
     *
     * @param scenario one of {@link #SCENARIOS}
     * @param file values that override the scenario's; null for none
     * @param changes {@code section.key=value}, which override both
     * @throws FsException {@code INVALID_ARGUMENT} naming file and line, or the change
     */
    static Map<String, Double> read(String scenario, @Nullable Path file, List<String> changes) {
        Map<String, Double> values = new TreeMap<>();
        put(values, "scale.yaml", own("scale.yaml"), true);
        put(values, scenario, own(scenario + ".yaml"), false);
        if (file != null) {
            try {
                put(values, file.toString(), Files.readString(file), false);
            } catch (IOException e) {
                throw invalid("--settings " + file + " cannot be read: " + e);
            }
        }
        changes.forEach(change -> set(values, change));
        check(values);
        return values;
    }

    private static void put(Map<String, Double> values, String name, String text, boolean all) {
        YamlFile file = YamlFile.parse(name, text);
        file.values().forEach((section, mapping) -> {
            if (mapping.below().isEmpty()) {
                throw invalid(name + ":" + mapping.line() + ": \"" + section + "\" is a section, of keys and numbers");
            }
            mapping.below().forEach((key, value) -> {
                String full = section + "." + key;
                if (!all) {
                    known(values, full, name + ":" + value.line());
                }
                values.put(full, file.number(value));
            });
        });
    }

    private static void set(Map<String, Double> values, String change) {
        int at = change.indexOf('=');
        String key = at < 0 ? change : change.substring(0, at);
        known(values, key, "--set " + change);
        try {
            values.put(key, Double.parseDouble(change.substring(at + 1)));
        } catch (NumberFormatException e) {
            throw invalid("--set " + change + ": the value must be a number");
        }
    }

    static void known(Map<String, Double> values, String key, String where) {
        if (!values.containsKey(key)) {
            throw invalid(where + ": there is no \"" + key + "\"; did you mean \""
                    + Nearest.of(key, values.keySet()).orElse("platform.deployments") + "\"?");
        }
    }

    static void check(Map<String, Double> values) {
        values.forEach((key, value) -> {
            if (!(value >= 0 && value <= 1e9)) {
                throw invalid("\"" + key + "\" must be 0..1000000000, not " + value);
            }
        });
        for (String key : COUNTS) {
            if (values.getOrDefault(key, 0.0) < 1) {
                throw invalid("\"" + key + "\" must be 1 or more");
            }
        }
        for (String key : List.of("instance.vcpu", "service.cold-ops")) {
            if (values.getOrDefault(key, 0.0) <= 0) {
                throw invalid("\"" + key + "\" must be above 0");
            }
        }
        if (values.getOrDefault("namespace.hot-share", 0.0) > 1 || values.getOrDefault("service.spread", 0.0) > 1) {
            throw invalid("\"namespace.hot-share\" and \"service.spread\" must be 0..1");
        }
        if (values.getOrDefault("machine.others", 0.0) > 0.9) {
            throw invalid("\"machine.others\" must be 0..0.9");
        }
    }

    /** Returns the values as YAML for {@code --settings}. */
    static String text(Map<String, Double> values) {
        StringBuilder text = new StringBuilder();
        String section = "";
        for (Map.Entry<String, Double> each : values.entrySet()) {
            int dot = each.getKey().indexOf('.');
            String its = each.getKey().substring(0, dot);
            if (!its.equals(section)) {
                section = its;
                text.append(section).append(":\n");
            }
            text.append("  ")
                    .append(each.getKey().substring(dot + 1))
                    .append(": ")
                    .append(Texts.plain(each.getValue()))
                    .append('\n');
        }
        return text.toString();
    }

    static ObjectNode json(Map<String, Double> values) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        values.forEach(json::put);
        return json;
    }

    private static String own(String name) {
        try (InputStream in = ScaleFile.class.getResourceAsStream(name)) {
            if (in == null) {
                throw invalid("there is no scenario " + name + "; there are " + String.join(", ", SCENARIOS));
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static FsException invalid(String why) {
        return FsException.invalidArgument(why);
    }
}
