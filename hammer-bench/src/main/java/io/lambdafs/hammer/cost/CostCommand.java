package io.lambdafs.hammer.cost;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.options.Options;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.cost.Prices.Cloud;
import io.lambdafs.hammer.cost.Prices.Shape;
import io.lambdafs.hammer.measure.BenchResult;
import io.lambdafs.hammer.measure.ReportedCommand;
import io.lambdafs.hammer.report.PageAssets;
import io.lambdafs.model.FsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code lambdafs bench cost}. */
@Command(
        name = "cost",
        description = {
            "Compare the hourly cost of idle deployments, and their share of a million operations at given " + "loads.",
            "Starts nothing. Functions also cost while they serve: --result adds a measured load."
        })
public final class CostCommand extends ReportedCommand {
    /** Sections of {@code prices.yaml} that other classes read. */
    private static final List<String> OTHERS = List.of("cloud", "date", "function", "machine");

    private static final double MILLIONS_OF_AN_HOUR = 3_600 / 1e6;

    @Option(
            names = "--ops",
            paramLabel = "N,N",
            split = ",",
            description = "Sustained operations per second (default 100,1000,10000,25000).")
    private List<Integer> ops = List.of(100, 1_000, 10_000, 25_000);

    @Option(
            names = "--prices",
            paramLabel = "FILE",
            description = "YAML file with further clouds and machine types (docs/BENCHMARKS.md).")
    private @Nullable Path file;

    @Option(
            names = "--result",
            paramLabel = "FILE",
            description = "report.json of a replay: adds what its functions cost per million operations to deployments "
                    + "whose NameNodes are functions.")
    private @Nullable Path measured;

    public CostCommand(Console console) {
        super(console);
    }

    @Override
    protected BenchResult measure() {
        ops.forEach(each -> Options.check(each >= 1, "--ops is 1 or more, not " + each));
        Prices prices = Prices.parse("prices.yaml", PageAssets.own("prices.yaml"), OTHERS);
        if (file != null) {
            prices = prices.and(Prices.parse(file.toString(), read(file), OTHERS));
        }
        Double functions = measured == null ? null : functionsUsd(measured);
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("schema", 1);
        json.put("functionsUsdPerMillion", functions);
        ArrayNode rows = json.putArray("rows");
        StringBuilder text = new StringBuilder();
        for (Cloud cloud : prices.clouds()) {
            text.append(String.format(
                    Locale.ROOT, "%s: %s, %s (%s)%n", cloud.key(), cloud.name(), cloud.date(), cloud.source()));
            text.append(String.format(Locale.ROOT, "  %-22s %12s", "", "idle $/h"));
            ops.forEach(each ->
                    text.append(String.format(Locale.ROOT, " %14s", String.format(Locale.ROOT, "$/M at %,d/s", each))));
            text.append('\n');
            for (Shape shape : prices.shapes()) {
                row(rows.addObject(), text, cloud, shape, functions);
            }
        }
        prices.shapes()
                .forEach(shape -> text.append(String.format(Locale.ROOT, "%s: %s%n", shape.key(), shape.what())));
        text.append("network, NAT gateways and what is stored in objects are not in it");
        text.append(
                functions == null
                        ? "; nor what functions cost while they serve: --result takes it from a replay's report.json"
                        : String.format(
                                Locale.ROOT, "; functions, as measured: $%.4f for a million operations", functions));
        return new BenchResult(json, text.toString());
    }

    private void row(ObjectNode json, StringBuilder text, Cloud cloud, Shape shape, @Nullable Double functions) {
        double idle = shape.idleUsdPerHour(cloud);
        json.put("cloud", cloud.key()).put("date", cloud.date()).put("shape", shape.key());
        json.put("idleUsdPerHour", Double.isNaN(idle) ? null : (Double) idle);
        text.append(String.format(Locale.ROOT, "  %-22s ", shape.key()));
        if (Double.isNaN(idle)) {
            String missing = String.join(", ", shape.missing(cloud));
            json.put("missing", missing);
            text.append(String.format(Locale.ROOT, "%12s  no price here: %s%n", "-", missing));
            return;
        }
        text.append(String.format(Locale.ROOT, "%12.4f", idle));
        for (int each : ops) {
            double share =
                    idle / (each * MILLIONS_OF_AN_HOUR) + (shape.functions() && functions != null ? functions : 0);
            json.put("usdPerMillionAt" + each, share);
            text.append(String.format(Locale.ROOT, " %14.4f", share));
        }
        text.append('\n');
    }

    private static double functionsUsd(Path result) {
        try {
            JsonNode cost =
                    new ObjectMapper().readTree(result.toFile()).path("cost").path("perMillionOpsUsd");
            if (cost.isNumber()) {
                return cost.asDouble();
            }
        } catch (IOException e) {
            throw FsException.invalidArgument("--result " + result + " cannot be read as JSON: " + e.getMessage(), e);
        }
        throw FsException.invalidArgument(
                "--result " + result + " has no cost.perMillionOpsUsd; name report.json of replay or quickstart");
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw FsException.invalidArgument("--prices " + file + " cannot be read: " + e, e);
        }
    }
}
