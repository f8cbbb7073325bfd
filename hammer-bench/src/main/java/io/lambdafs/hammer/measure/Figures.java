package io.lambdafs.hammer.measure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Any result as tables: an array of objects is a table, and so are single objects with the same keys. Objects within a
 * row become columns, {@code outer.inner}. Stateless.
 */
final class Figures {
    /** Numbers that identify a row, instead of being results. */
    private static final Set<String> NAMES = Set.of("clients", "threads", "window", "vcpu", "load", "percentile");
    /** Texts that do not identify a row. */
    private static final Set<String> REMARKS = Set.of("durability", "failure");
    /** The key of the schema, which every result has and no table shows. */
    private static final String SCHEMA = "schema";

    private Figures() {}

    /**
     * Rows with the same columns. Immutable.
     *
     * @param name of the array, or of the only object; {@code figures} for several objects
     * @param rows without nested objects
     */
    record Table(String name, List<ObjectNode> rows) {
        Table {
            rows = List.copyOf(rows);
        }

        /** Returns all keys of all rows, in order of appearance. */
        List<String> columns() {
            Set<String> columns = new LinkedHashSet<>();
            rows.forEach(row -> row.fieldNames().forEachRemaining(columns::add));
            return List.copyOf(columns);
        }

        /** Returns the numeric columns whose values differ between rows. */
        List<String> measured() {
            return columns().stream()
                    .filter(column -> !NAMES.contains(column))
                    .filter(column -> rows.stream()
                                    .filter(row -> row.path(column).isNumber())
                                    .count()
                            > 1)
                    .filter(column -> rows.stream()
                                    .map(row -> row.path(column).asDouble())
                                    .distinct()
                                    .count()
                            > 1)
                    .toList();
        }
    }

    /** Returns the label of a row: its texts, and the numbers that identify it. */
    static String label(JsonNode row) {
        StringBuilder label = new StringBuilder();
        row.properties().forEach(each -> {
            boolean names = (each.getValue().isTextual() && !REMARKS.contains(each.getKey()))
                    || (each.getValue().isNumber() && NAMES.contains(each.getKey()));
            if (names) {
                label.append(label.isEmpty() ? "" : " ").append(each.getValue().asText());
            }
        });
        return label.toString();
    }

    /** Returns the tables of a result: first those of its arrays. */
    static List<Table> of(ObjectNode result) {
        List<Table> arrays = new ArrayList<>();
        Map<Set<String>, Map<String, ObjectNode>> singles = new LinkedHashMap<>();
        single("", result, arrays, singles);
        List<Table> tables = new ArrayList<>(arrays);
        singles.values().forEach(rows -> {
            List<ObjectNode> named = new ArrayList<>();
            rows.forEach((name, row) -> {
                ObjectNode one = JsonNodeFactory.instance.objectNode();
                named.add(rows.size() == 1 ? row : one.put("of", name).setAll(row));
            });
            String only = rows.keySet().iterator().next();
            tables.add(new Table(rows.size() > 1 ? "figures" : only.isEmpty() ? "result" : only, named));
        });
        return tables;
    }

    private static void single(
            String name, ObjectNode node, List<Table> arrays, Map<Set<String>, Map<String, ObjectNode>> singles) {
        ObjectNode row = JsonNodeFactory.instance.objectNode();
        node.properties().forEach(each -> {
            if (!isNested(each.getValue()) && !each.getKey().equals(SCHEMA)) {
                row.set(each.getKey(), each.getValue());
            }
        });
        if (!row.isEmpty()) {
            Set<String> keys = new LinkedHashSet<>();
            row.fieldNames().forEachRemaining(keys::add);
            singles.computeIfAbsent(keys, each -> new LinkedHashMap<>()).put(name, row);
        }
        node.properties().forEach(each -> {
            String below = name.isEmpty() ? each.getKey() : name + " " + each.getKey();
            if (each.getValue() instanceof ObjectNode object) {
                single(below, object, arrays, singles);
            } else if (isNested(each.getValue())) {
                array(below, (ArrayNode) each.getValue(), arrays);
            }
        });
    }

    private static void array(String name, ArrayNode array, List<Table> arrays) {
        List<ObjectNode> rows = new ArrayList<>();
        // Its place is before those of the arrays within it.
        int place = arrays.size();
        for (JsonNode each : array) {
            ObjectNode row = JsonNodeFactory.instance.objectNode();
            flatten("", each, row, name + " " + label(each), arrays);
            rows.add(row);
        }
        arrays.add(place, new Table(name, rows));
    }

    private static void flatten(String prefix, JsonNode node, ObjectNode row, String name, List<Table> arrays) {
        node.properties().forEach(each -> {
            String key = prefix + each.getKey();
            if (each.getValue().isObject()) {
                flatten(key + ".", each.getValue(), row, name, arrays);
            } else if (isNested(each.getValue())) {
                array(name + " " + key, (ArrayNode) each.getValue(), arrays);
            } else {
                row.set(key, each.getValue());
            }
        });
    }

    /** Returns whether a node is an object, or an array of objects. */
    private static boolean isNested(JsonNode node) {
        return node.isObject() || (node.isArray() && node.path(0).isObject());
    }
}
