package io.lambdafs.hammer.workload;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamReadException;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Nearest;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A YAML mapping of names to values, or to mappings of such, three deep, in which every value knows the line of its
 * key. JSON is YAML. Immutable.
 */
public final class YamlFile {
    private static final YAMLFactory FACTORY = YAMLFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    /** Maximum depth of mappings within mappings. */
    private static final int MAPPINGS = 2;

    /** A value below a key; {@code text} of a mapping is empty. */
    public record Value(int line, String key, String text, boolean isNumber, Map<String, Value> below) {}

    private final String name;
    private final Map<String, Value> values;

    private YamlFile(String name, Map<String, Value> values) {
        this.name = name;
        this.values = values;
    }

    /**
     * Parses a file's text.
     *
     * @param name of the file, for messages
     * @throws FsException {@code INVALID_ARGUMENT} naming file and line
     */
    public static YamlFile parse(String name, String text) {
        try (JsonParser parser = FACTORY.createParser(text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw invalid(name, 1, "it is not a mapping of names to values");
            }
            YamlFile file = new YamlFile(name, mapping(name, parser, 0));
            if (parser.nextToken() != null) {
                throw invalid(name, parser.currentTokenLocation().getLineNr(), "a second document begins");
            }
            return file;
        } catch (StreamReadException e) {
            int line = e.getLocation() == null ? 1 : Math.max(1, e.getLocation().getLineNr());
            throw invalid(
                    name,
                    line,
                    "it is not YAML: "
                            + e.getOriginalMessage().lines().findFirst().orElse(""));
        } catch (IOException e) {
            throw invalid(name, 1, "it cannot be read: " + e);
        }
    }

    private static Map<String, Value> mapping(String name, JsonParser parser, int depth) throws IOException {
        Map<String, Value> values = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            int line = parser.currentTokenLocation().getLineNr();
            String key = parser.currentName();
            JsonToken token = parser.nextToken();
            if (token == JsonToken.START_OBJECT && depth < MAPPINGS) {
                values.put(key, new Value(line, key, "", false, mapping(name, parser, depth + 1)));
            } else if (token != null && token.isScalarValue() && token != JsonToken.VALUE_NULL) {
                values.put(key, new Value(line, key, parser.getText(), token.isNumeric(), Map.of()));
            } else {
                throw invalid(name, line, "\"" + key + "\" needs a value" + (depth < MAPPINGS ? " or a mapping" : ""));
            }
        }
        return values;
    }

    /** Returns the values at the top level. */
    public Map<String, Value> values() {
        return values;
    }

    /** Refuses unknown keys. */
    public void check(Map<String, Value> mapping, Collection<String> known) {
        for (Value each : mapping.values()) {
            if (!known.contains(each.key)) {
                Optional<String> near = Nearest.of(each.key, known);
                throw invalid(
                        each,
                        "there is no key \"" + each.key + "\" here; did you mean \"" + near.orElse("")
                                + "\"? Known are " + String.join(", ", known));
            }
        }
    }

    /** Returns a mapping's value at a required key. */
    public Value needed(Map<String, Value> mapping, String key) {
        Value value = mapping.get(key);
        if (value == null) {
            throw invalid("\"" + key + "\" is missing");
        }
        return value;
    }

    /** @throws FsException if it is not a number */
    public double number(Value value) {
        try {
            if (value.isNumber) {
                return Double.parseDouble(value.text);
            }
        } catch (NumberFormatException e) {
            throw invalid(value, "\"" + value.key + "\" must be a number in plain digits, not \"" + value.text + "\"");
        }
        throw invalid(value, "\"" + value.key + "\" must be a number, not \"" + value.text + "\"");
    }

    /** Describes an error in a value. */
    public FsException invalid(Value value, String why) {
        return invalid(name, value.line, why);
    }

    /** Describes an error in the whole file. */
    FsException invalid(String why) {
        return invalid(name, 1, why);
    }

    private static FsException invalid(String name, int line, String why) {
        return FsException.invalidArgument(name + ":" + line + ": " + why);
    }
}
