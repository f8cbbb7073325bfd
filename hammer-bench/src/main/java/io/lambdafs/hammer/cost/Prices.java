package io.lambdafs.hammer.cost;

import io.lambdafs.hammer.workload.YamlFile;
import io.lambdafs.hammer.workload.YamlFile.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Prices of clouds, and shapes of deployments. Immutable.
 *
 * @param clouds the prices of each cloud
 * @param shapes the amounts that each deployment needs
 */
record Prices(List<Cloud> clouds, List<Shape> shapes) {
    private static final double MOST = 1e9;

    Prices {
        clouds = List.copyOf(clouds);
        shapes = List.copyOf(shapes);
    }

    /**
     * A cloud at a date. Immutable.
     *
     * @param usd price of each item; missing ones have no price
     */
    record Cloud(String key, String name, String date, String source, Map<Item, Double> usd) {
        Cloud {
            usd = Map.copyOf(usd);
        }
    }

    /**
     * A deployment. Immutable.
     *
     * @param functions whether its NameNodes are functions, which cost nothing while idle
     */
    record Shape(String key, String what, boolean functions, Map<Item, Double> amounts) {
        Shape {
            amounts = Map.copyOf(amounts);
        }

        /** Returns the cost while idle, USD per hour; NaN if the cloud lacks a price. */
        double idleUsdPerHour(Cloud cloud) {
            return missing(cloud).isEmpty()
                    ? amounts.entrySet().stream()
                            .mapToDouble(each -> each.getKey()
                                    .usd(each.getValue(), cloud.usd().getOrDefault(each.getKey(), 0.0)))
                            .sum()
                    : Double.NaN;
        }

        /** Returns the keys of the prices that the cloud lacks. */
        List<String> missing(Cloud cloud) {
            return Arrays.stream(Item.values())
                    .filter(item ->
                            amounts.getOrDefault(item, 0.0) > 0 && !cloud.usd().containsKey(item))
                    .map(Item::price)
                    .toList();
        }
    }

    /**
     * Reads the sections {@code clouds} and {@code shapes} of a file.
     *
     * @param name for messages
     * @param others further keys of the file, which are ignored
     * @throws io.lambdafs.model.FsException {@code INVALID_ARGUMENT} naming file and line
     */
    static Prices parse(String name, String text, List<String> others) {
        YamlFile file = YamlFile.parse(name, text);
        file.check(
                file.values(),
                Stream.concat(Stream.of("clouds", "shapes"), others.stream()).toList());
        List<Cloud> clouds = new ArrayList<>();
        for (Value each : below(file, "clouds")) {
            Map<String, Value> keys = each.below();
            file.check(
                    keys,
                    Stream.concat(
                                    Stream.of("name", "date", "source"),
                                    Arrays.stream(Item.values()).map(Item::price))
                            .toList());
            Map<Item, Double> usd = new EnumMap<>(Item.class);
            for (Item item : Item.values()) {
                Value value = keys.get(item.price());
                if (value != null) {
                    usd.put(item, number(file, value));
                }
            }
            clouds.add(new Cloud(
                    each.key(), text(file, each, "name"), text(file, each, "date"), text(file, each, "source"), usd));
        }
        List<Shape> shapes = new ArrayList<>();
        for (Value each : below(file, "shapes")) {
            Map<String, Value> keys = each.below();
            file.check(
                    keys,
                    Stream.concat(
                                    Stream.of("what", "functions"),
                                    Arrays.stream(Item.values()).map(Item::amount))
                            .toList());
            Map<Item, Double> amounts = new EnumMap<>(Item.class);
            for (Item item : Item.values()) {
                Value value = keys.get(item.amount());
                if (value != null) {
                    amounts.put(item, number(file, value));
                }
            }
            Value functions = keys.get("functions");
            shapes.add(new Shape(
                    each.key(),
                    text(file, each, "what"),
                    functions != null && functions.text().equals("true"),
                    amounts));
        }
        return new Prices(clouds, shapes);
    }

    /** Returns both, these first. */
    Prices and(Prices more) {
        return new Prices(
                Stream.concat(clouds.stream(), more.clouds.stream()).toList(),
                Stream.concat(shapes.stream(), more.shapes.stream()).toList());
    }

    private static Iterable<Value> below(YamlFile file, String key) {
        Value value = file.values().get(key);
        if (value == null) {
            return List.of();
        }
        if (!value.text().isEmpty()) {
            throw file.invalid(value, "\"" + key + "\" is a mapping");
        }
        for (Value each : value.below().values()) {
            if (each.below().isEmpty()) {
                throw file.invalid(each, "\"" + each.key() + "\" is a mapping");
            }
        }
        return value.below().values();
    }

    private static String text(YamlFile file, Value mapping, String key) {
        Value value = mapping.below().get(key);
        if (value == null) {
            throw file.invalid(mapping, "\"" + mapping.key() + "\" has no \"" + key + "\"");
        }
        return value.text();
    }

    private static double number(YamlFile file, Value value) {
        double number = file.number(value);
        if (!(number >= 0 && number <= MOST)) {
            throw file.invalid(value, "\"" + value.key() + "\" is 0 or more, not " + value.text());
        }
        return number;
    }
}
