package io.lambdafs.cluster.settings;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Nearest;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Merges layers of settings: defaults, the cluster's current settings, a {@code --conf} file, options. Confined to one
 * thread.
 */
public final class SettingsFile {
    private static final int MAX_BYTES = 1 << 20;

    private final ObjectNode merged;
    /** The source of each key's effective value: {@code file:line} or another layer. */
    private final Map<String, String> saidAt = new HashMap<>();

    private SettingsFile(ObjectNode merged) {
        this.merged = merged;
    }

    public static SettingsFile over(ClusterSettings base) {
        return new SettingsFile(Json.MAPPER.valueToTree(base));
    }

    /**
     * Adds a file as the top layer.
     *
     * @throws FsException {@code INVALID_ARGUMENT} if it cannot be read, is not a JSON object, or has an unknown key or
     *     a value of the wrong type; the message names the file and, if known, the line
     */
    public SettingsFile with(Path file) {
        String text = read(file);
        ObjectNode keys = parse(file, text);
        overlay(merged, keys, "", new Source(file.toString(), SettingsLines.of(text)));
        return this;
    }

    /** Adds keys as the top layer; {@code source} names them in messages. */
    public SettingsFile with(ObjectNode keys, String source) {
        overlay(merged, keys, "", new Source(source, Map.of()));
        return this;
    }

    /**
     * Returns the effective settings.
     *
     * @throws FsException {@code INVALID_ARGUMENT} if a value is out of range, naming its source
     */
    public ClusterSettings settings() {
        try {
            return Json.MAPPER.treeToValue(merged, ClusterSettings.class);
        } catch (JsonMappingException e) {
            String key = e.getPath().stream()
                    .map(JsonMappingException.Reference::getFieldName)
                    .collect(Collectors.joining("."));
            String why = e.getCause() instanceof FsException invalid
                    ? invalid.getMessage()
                    : "the setting \"" + key + "\" makes no sense: " + e.getOriginalMessage();
            throw FsException.invalidArgument(whoSaid(String.valueOf(why)) + why, e);
        } catch (JsonProcessingException e) {
            throw FsException.invalidArgument("the settings make no sense: " + e.getOriginalMessage(), e);
        }
    }

    /** Returns the source of the first key quoted in a message, if any. */
    private String whoSaid(String message) {
        String[] parts = message.split("\"", 3);
        String at = parts.length == 3 ? saidAt.get(parts[1]) : null;
        return at == null ? "" : at + ": ";
    }

    /**
     * The source of some keys.
     *
     * @param lines line numbers of a file by key
     */
    private record Source(String name, Map<String, Integer> lines) {
        String at(String key) {
            Integer line = lines.get(key);
            return line == null ? name : name + ":" + line;
        }

        FsException invalid(String key, String why) {
            return SettingsFile.invalid(at(key), why);
        }
    }

    private void overlay(ObjectNode base, ObjectNode keys, String prefix, Source source) {
        for (Map.Entry<String, JsonNode> each : keys.properties()) {
            String key = prefix + each.getKey();
            JsonNode known = base.get(each.getKey());
            if (known == null && prefix.equals(BlockSettings.STORES + ".")) {
                known = each.getValue().isTextual() ? each.getValue() : base.textNode("");
            }
            if (known == null) {
                throw source.invalid(
                        key,
                        "there is no setting \"" + key + "\""
                                + Nearest.of(each.getKey(), names(base))
                                        .map(name -> "; did you mean \"" + prefix + name + "\"?")
                                        .orElse(""));
            }
            if (known instanceof ObjectNode inner && each.getValue() instanceof ObjectNode more) {
                overlay(inner, more, key + ".", source);
            } else if (isSameKind(known, each.getValue())) {
                base.set(each.getKey(), each.getValue());
                saidAt.put(key, source.at(key));
            } else {
                throw source.invalid(
                        key, "the setting \"" + key + "\" must be " + kind(known) + ", not " + each.getValue());
            }
        }
    }

    private static List<String> names(ObjectNode node) {
        List<String> names = new ArrayList<>();
        node.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private static boolean isSameKind(JsonNode known, JsonNode given) {
        if (known.isIntegralNumber()) {
            return given.isIntegralNumber() && given.canConvertToLong();
        }
        return known.isNumber() ? given.isNumber() : known.getNodeType() == given.getNodeType();
    }

    private static String kind(JsonNode known) {
        if (known.isIntegralNumber()) {
            return "a whole number";
        }
        return switch (known.getNodeType()) {
            case NUMBER -> "a number";
            case BOOLEAN -> "true or false";
            case OBJECT -> "an object";
            default -> "text";
        };
    }

    private static String read(Path file) {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw invalid(file.toString(), "it is longer than " + MAX_BYTES + " bytes");
            }
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            throw invalid(file.toString(), "there is no such file");
        } catch (CharacterCodingException e) {
            throw invalid(file.toString(), "it is not text in UTF-8");
        } catch (IOException e) {
            throw invalid(file.toString(), "it cannot be read: " + e);
        }
    }

    private static ObjectNode parse(Path file, String text) {
        try {
            if (Json.MAPPER.readTree(text) instanceof ObjectNode object) {
                return object;
            }
            throw invalid(file.toString(), "it is not a JSON object");
        } catch (JsonProcessingException e) {
            JsonLocation at = e.getLocation();
            throw invalid(
                    at == null ? file.toString() : file + ":" + at.getLineNr(),
                    "it is not JSON: " + e.getOriginalMessage());
        }
    }

    private static FsException invalid(String source, String why) {
        return FsException.invalidArgument(source + ": " + why);
    }
}
