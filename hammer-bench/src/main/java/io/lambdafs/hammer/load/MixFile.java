package io.lambdafs.hammer.load;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.lambdafs.hammer.OperationKind;
import io.lambdafs.hammer.OperationMix;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Nearest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** A mix of operations in a file: a JSON object of shares by name, {@code {"read": 70, "stat": 20, "create": 10}}. Stateless. */
public final class MixFile {
    private static final int MAX_BYTES = 64 << 10;

    private MixFile() {}

    /**
     * Reads one.
     *
     * @throws FsException {@code INVALID_ARGUMENT} naming what is wrong
     */
    public static OperationMix read(Path file) {
        Map<OperationKind, Double> shares = new EnumMap<>(OperationKind.class);
        for (Map.Entry<String, JsonNode> each : parse(file).properties()) {
            OperationKind kind = kind(file, each.getKey());
            if (!each.getValue().isNumber()) {
                throw invalid(file, "the share of \"" + each.getKey() + "\" must be a number, not " + each.getValue());
            }
            shares.put(kind, each.getValue().doubleValue());
        }
        try {
            return OperationMix.of(shares);
        } catch (FsException e) {
            throw invalid(file, String.valueOf(e.getMessage()));
        }
    }

    private static OperationKind kind(Path file, String name) {
        List<String> names = new ArrayList<>();
        for (OperationKind kind : OperationKind.values()) {
            if (kind.label().equals(name)) {
                return kind;
            }
            names.add(kind.label());
        }
        throw invalid(
                file,
                "there is no operation \"" + name + "\"; did you mean \""
                        + Nearest.of(name, names).orElse("read") + "\"? Known are " + String.join(", ", names));
    }

    private static JsonNode parse(Path file) {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw invalid(file, "it is longer than " + MAX_BYTES + " bytes");
            }
            JsonNode tree = JsonMapper.builder()
                    .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
                    .build()
                    .readTree(Files.readString(file));
            if (!tree.isObject()) {
                throw invalid(file, "it is not a JSON object");
            }
            return tree;
        } catch (JsonProcessingException e) {
            throw invalid(file, "it is not JSON: " + e.getOriginalMessage());
        } catch (NoSuchFileException e) {
            throw invalid(file, "there is no such file (a profile is \"spotify\" or a file)");
        } catch (IOException e) {
            throw invalid(file, "it cannot be read: " + e);
        }
    }

    private static FsException invalid(Path file, String why) {
        return new FsException(ErrorCode.INVALID_ARGUMENT, "the profile " + file + ": " + why);
    }
}
