package io.lambdafs.hammer.emulation;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.settings.DistanceSettings;
import io.lambdafs.hammer.report.PageAssets;
import io.lambdafs.hammer.workload.YamlFile;
import io.lambdafs.hammer.workload.YamlFile.Value;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Conditions that an experiment lays on its clusters: round trips of their links, and an instance's share where nothing else says
 * one. The same for every service that is compared. Immutable; its keys must not be changed.
 *
 * @param keys settings of a cluster
 */
public record Emulation(ObjectNode keys) {
    /** The built-in emulation, of the paper's cluster. */
    static final String PAPER = "paper";
    /** The name of none. */
    static final String NONE = "none";

    private static final List<String> SECTIONS = List.of("round-trip-us", "instance");
    private static final List<String> LINKS = List.of("tcp", "http", "store", "coordination");
    private static final List<String> SHARES = List.of("vcpu", "memory-mb");

    /**
     * Reads an emulation.
     *
     * @param named {@value #PAPER}, {@value #NONE}, or a file
     * @throws FsException {@code INVALID_ARGUMENT} naming the file, the line and the error
     */
    static Emulation read(String named) {
        ObjectNode keys = JsonNodeFactory.instance.objectNode();
        if (named.equals(NONE)) {
            return new Emulation(keys);
        }
        YamlFile file = YamlFile.parse(
                named, named.equals(PAPER) ? PageAssets.own("emulation/paper.yaml") : text(Path.of(named)));
        file.check(file.values(), SECTIONS);
        Map<String, Value> links = section(file, "round-trip-us", LINKS);
        if (!links.isEmpty()) {
            ObjectNode distance = keys.putObject("distance");
            links.forEach((link, value) -> distance.put(link + "Micros", whole(file, value)));
        }
        Map<String, Value> shares = section(file, "instance", SHARES);
        if (shares.containsKey("vcpu")) {
            keys.withObject("instance").put("cpuShare", file.number(file.needed(shares, "vcpu")));
        }
        if (shares.containsKey("memory-mb")) {
            keys.withObject("instance").put("memoryMb", whole(file, file.needed(shares, "memory-mb")));
        }
        return new Emulation(keys);
    }

    private static Map<String, Value> section(YamlFile file, String name, List<String> known) {
        Value section = file.values().get(name);
        if (section == null) {
            return Map.of();
        }
        file.check(section.below(), known);
        return section.below();
    }

    private static int whole(YamlFile file, Value value) {
        double number = file.number(value);
        if (number != Math.rint(number) || number < 0 || number > Integer.MAX_VALUE) {
            throw file.invalid(value, "\"" + value.key() + "\" must be a whole number, not " + value.text());
        }
        return (int) number;
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new FsException(ErrorCode.INVALID_ARGUMENT, "--emulate " + file + " cannot be read: " + e, e);
        }
    }

    /** Returns options of a start on which this is laid: a {@code --conf} file and options override it. */
    public LocalCluster.StartOptions under(LocalCluster.StartOptions options) {
        return options.over(keys);
    }

    /** Describes for people what a result was measured under. */
    public static String line(DistanceSettings distance) {
        return "distance emulated: " + distance.describe();
    }

    /** Describes for programs what a result was measured under; all 0 if nothing was emulated. */
    public static ObjectNode json(DistanceSettings distance) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("tcpMicros", distance.tcpMicros())
                .put("httpMicros", distance.httpMicros())
                .put("storeMicros", distance.storeMicros())
                .put("coordinationMicros", distance.coordinationMicros());
    }
}
