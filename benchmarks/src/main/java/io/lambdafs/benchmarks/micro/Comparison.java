package io.lambdafs.benchmarks.micro;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.lambdafs.model.FsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The comparison of a result with an earlier one over their common lanes. Immutable.
 *
 * @param changes the changes, in the order of the later result
 */
record Comparison(List<Change> changes) {
    private static final long MOST_BYTES = 64 << 20;

    Comparison {
        changes = List.copyOf(changes);
    }

    /**
     * The change of one lane.
     *
     * @param isClear whether the confidence intervals are disjoint
     */
    record Change(String lane, double before, double after, boolean isClear) {
        double ratio() {
            return after / before;
        }
    }

    /**
     * Reads a file written by {@code --out}.
     *
     * @throws FsException {@code INVALID_ARGUMENT} for any other file
     */
    static JsonNode read(Path file) {
        try {
            if (Files.size(file) > MOST_BYTES) {
                throw refused(file, "it is longer than " + MOST_BYTES + " bytes");
            }
            JsonNode tree = new ObjectMapper().readTree(Files.readString(file));
            if (tree.path("schema").asInt() != 1 || !tree.path("results").isArray()) {
                throw refused(file, "it is no result of bench micro");
            }
            return tree;
        } catch (JsonProcessingException e) {
            throw refused(file, "it is not JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw refused(file, "it cannot be read: " + e);
        }
    }

    private static FsException refused(Path file, String why) {
        return FsException.invalidArgument("--compare " + file + ": " + why);
    }

    static Comparison of(JsonNode before, JsonNode after) {
        List<Change> changes = new ArrayList<>();
        for (JsonNode now : after.path("results")) {
            for (JsonNode then : before.path("results")) {
                if (lane(then).equals(lane(now))) {
                    changes.add(change(then, now));
                }
            }
        }
        return new Comparison(changes);
    }

    private static Change change(JsonNode then, JsonNode now) {
        boolean clear = now.path("opsPerSecondLow").asDouble()
                        > then.path("opsPerSecondHigh").asDouble()
                || now.path("opsPerSecondHigh").asDouble()
                        < then.path("opsPerSecondLow").asDouble();
        return new Change(
                lane(now),
                then.path("opsPerSecond").asDouble(),
                now.path("opsPerSecond").asDouble(),
                clear);
    }

    private static String lane(JsonNode result) {
        return result.path("op").asText() + " " + result.path("target").asText() + " "
                + result.path("api").asText() + " threads "
                + result.path("threads").asInt() + " window "
                + result.path("window").asInt();
    }

    void write(ArrayNode rows) {
        for (Change change : changes) {
            var node = rows.addObject().put("lane", change.lane());
            MicroJson.number(node, "before", change.before());
            MicroJson.number(node, "after", change.after());
            MicroJson.number(node, "ratio", change.ratio());
            node.put("clear", change.isClear());
        }
    }

    /** Returns lines for people. */
    String lines() {
        StringBuilder text =
                new StringBuilder("operations per second before and now (* the 95 % intervals do not overlap)");
        for (Change each : changes) {
            text.append(System.lineSeparator())
                    .append(MicroTable.line(
                            "%-48s %,11.0f %,11.0f  × %s%s",
                            each.lane(),
                            each.before(),
                            each.after(),
                            // No ratio if the earlier result has no operations.
                            MicroTable.known(each.ratio(), 2),
                            each.isClear() ? " *" : ""));
        }
        return text.toString();
    }
}
