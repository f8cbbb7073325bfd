package io.lambdafs.hammer.measure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.options.Options;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.model.FsException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lambdafs bench compare A B}. */
@Command(
        name = "compare",
        description = {
            "Compare two results of the same command: every figure that differs, and by how much.",
            "Takes the JSON that --json prints or --report writes. Matches rows by name and size, not by " + "position."
        })
public final class CompareCommand extends ReportedCommand {
    /** Series of a run, which are never alike in two runs. */
    private static final Set<String> SERIES = Set.of("series", "curve", "rounds", "real");

    @Parameters(index = "0", paramLabel = "A", description = "Result before.")
    private Path before = Path.of("a.json");

    @Parameters(index = "1", paramLabel = "B", description = "Result after.")
    private Path after = Path.of("b.json");

    @Option(
            names = "--least",
            paramLabel = "PERCENT",
            description = "Smallest difference to show (default ${DEFAULT-VALUE}).")
    private double least = 5;

    public CompareCommand(Console console) {
        super(console);
    }

    @Override
    protected BenchResult measure() {
        Options.check(least >= 0 && least <= 1_000, "--least is 0..1000, not " + least);
        Map<String, Double> a = figures(before);
        Map<String, Double> b = figures(after);
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("schema", 1);
        ArrayNode rows = json.putArray("figures");
        StringBuilder text =
                new StringBuilder(String.format(Locale.ROOT, "%-70s %14s %14s %8s%n", "", "A", "B", "B / A"));
        int same = 0;
        int alone = 0;
        for (Map.Entry<String, Double> each : a.entrySet()) {
            Double other = b.get(each.getKey());
            if (other == null) {
                alone++;
                continue;
            }
            double ratio = ratio(each.getValue(), other);
            rows.addObject()
                    .put("figure", each.getKey())
                    .put("a", each.getValue())
                    .put("b", other)
                    .put("ratio", Double.isFinite(ratio) ? ratio : null);
            if (Math.abs(ratio - 1) * 100 < least) {
                same++;
                continue;
            }
            text.append(String.format(
                    Locale.ROOT, "%-70s %14.4g %14.4g %8.3f%n", each.getKey(), each.getValue(), other, ratio));
        }
        long more = b.keySet().stream().filter(key -> !a.containsKey(key)).count();
        text.append(String.format(
                Locale.ROOT,
                "%d figures differ by less than %s %%; %d are in A alone, %d in B alone%n",
                same,
                least,
                alone,
                more));
        List<String> failures = rows.isEmpty()
                ? List.of(before + " and " + after + " have no figure in common: are they of the same command?")
                : List.of();
        return new BenchResult(json, text.toString(), failures);
    }

    /** Returns 1 if both are equal, even 0; infinity if only the first is 0. */
    private static double ratio(double a, double b) {
        return a == b ? 1 : b / a;
    }

    private static Map<String, Double> figures(Path file) {
        JsonNode tree;
        try {
            tree = new ObjectMapper().readTree(file.toFile());
        } catch (IOException e) {
            throw FsException.invalidArgument(file + " cannot be read as the JSON of a result: " + e.getMessage(), e);
        }
        Map<String, Double> figures = new LinkedHashMap<>();
        collect("", tree, figures);
        return figures;
    }

    private static void collect(String name, JsonNode node, Map<String, Double> figures) {
        if (node.isNumber()) {
            figures.put(name, node.asDouble());
        } else if (node.isObject()) {
            node.properties().forEach(each -> {
                if (!SERIES.contains(each.getKey())) {
                    collect(name.isEmpty() ? each.getKey() : name + "." + each.getKey(), each.getValue(), figures);
                }
            });
        } else if (node.isArray()) {
            Map<String, Integer> seen = new LinkedHashMap<>();
            for (JsonNode each : node) {
                String label = Figures.label(each);
                int count = seen.merge(label, 1, Integer::sum);
                collect(name + "[" + label + (count > 1 || label.isEmpty() ? "#" + count : "") + "]", each, figures);
            }
        }
    }
}
