package io.lambdafs.hammer.coldstart;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.process.Jdk;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.measure.BenchResult;
import io.lambdafs.hammer.measure.ReportedCommand;
import io.lambdafs.hammer.measure.Spread;
import io.lambdafs.hammer.report.TextTable;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code lambdafs bench coldstart}. */
@Command(
        name = "coldstart",
        description = {
            "Measure a call that finds no instance (without and with the class archive), a prewarmed one, or the "
                    + "image of one, and the operations after it.",
            "Starts a small cluster for each JDK and each settings file; they start instances in turns."
        })
public final class ColdstartCommand extends ReportedCommand {

    @Option(
            names = "--jdk",
            paramLabel = "HOME",
            description = "JDK to run the instances; may be repeated (default: the one running this command).")
    private List<Path> jdks = List.of();

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "Starts of each kind per cluster (default ${DEFAULT-VALUE}).")
    private int rounds = 20;

    @Option(
            names = "--conf",
            paramLabel = "FILE",
            description = "JSON file with settings of a cluster, such as its store; may be repeated.")
    private List<Path> confs = List.of();

    public ColdstartCommand(Console console) {
        super(console);
    }

    @Override
    protected BenchResult measure() throws InterruptedException {
        List<Path> homes = jdks.isEmpty() ? List.of(Path.of(System.getProperty("java.home"))) : jdks;
        List<Jdk> known = homes.stream().map(Jdk::at).distinct().toList();
        List<Setup> setups = confs.isEmpty()
                ? known.stream().map(jdk -> new Setup(jdk, null)).toList()
                : confs.stream()
                        .distinct()
                        .flatMap(conf -> known.stream().map(jdk -> new Setup(jdk, conf)))
                        .toList();
        ColdstartBench.Settings settings = new ColdstartBench.Settings(setups, Kind.possible(), rounds);
        ColdstartBench.Result result = new ColdstartBench(settings, console, Testbed::new).run();
        return new BenchResult(json(settings, result), text(settings, result));
    }

    static ObjectNode json(ColdstartBench.Settings settings, ColdstartBench.Result result) {
        ObjectNode tree = JsonNodeFactory.instance
                .objectNode()
                .put("schema", 1)
                .put("rounds", settings.rounds())
                .put("processors", Runtime.getRuntime().availableProcessors());
        for (Kind kind : settings.kinds()) {
            for (Setup setup : settings.setups()) {
                ObjectNode node = tree.withArray(kind.label())
                        .addObject()
                        .put("jdk", setup.jdk().version().toString())
                        .put("home", setup.jdk().home().toString());
                if (setup.conf() != null) {
                    node.put("conf", setup.conf().toString());
                }
                for (Step step : kind.steps()) {
                    Spread millis = result.spread(kind, setup, step);
                    node.putObject(step.label())
                            .put("medianMillis", millis.median())
                            .put("p90Millis", millis.p90())
                            .put("leastMillis", millis.min())
                            .put("greatestMillis", millis.max());
                }
                for (int span = 0; span < Warmth.LABELS.size(); span++) {
                    ObjectNode after = JsonNodeFactory.instance.objectNode();
                    result.after(kind, setup, span, Warmth.Span::cpuMicros)
                            .ifPresent(cpu -> after.put("cpuMicrosPerOperation", cpu.median()));
                    result.after(kind, setup, span, Warmth.Span::p99Micros)
                            .ifPresent(p99 -> after.put("p99Micros", p99.median()));
                    if (!after.isEmpty()) {
                        node.set(Warmth.LABELS.get(span), after);
                    }
                }
            }
        }
        return tree;
    }

    static String text(ColdstartBench.Settings settings, ColdstartBench.Result result) {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "milliseconds: median, 90th percentile (least to greatest) of %d starts; %d processors%n",
                settings.rounds(),
                Runtime.getRuntime().availableProcessors()));
        for (Kind kind : settings.kinds()) {
            for (Step step : kind.steps()) {
                text.append(kind.label()).append(", ").append(step.label()).append('\n');
                for (Setup setup : settings.setups()) {
                    Spread millis = result.spread(kind, setup, step);
                    text.append(String.format(
                            Locale.ROOT,
                            "  %-40s %7.1f %7.1f (%.1f to %.1f)%n",
                            setup.label(),
                            millis.median(),
                            millis.p90(),
                            millis.min(),
                            millis.max()));
                }
            }
        }
        text.append(warmths(settings, result));
        return text.toString().stripTrailing();
    }

    /** A row of the table of operations after the starts. */
    private record Row(Kind kind, Setup setup) {}

    private static String warmths(ColdstartBench.Settings settings, ColdstartBench.Result result) {
        TextTable<Row> table = new TextTable<Row>()
                .left("", 10, row -> row.kind().label())
                .left("", 24, row -> row.setup().label());
        int steady = Warmth.LABELS.size() - 1;
        for (int i = 0; i < Warmth.LABELS.size(); i++) {
            int span = i;
            table.gap(3)
                    .right(Warmth.LABELS.get(i) + " CPU µs", 18, row -> cpu(result, row, span, "%.1f", 1))
                    .right("× steady", 8, row -> cpu(result, row, span, "%.2f", cpu(result, row, steady)))
                    .right(
                            "p99 µs",
                            8,
                            row -> result.after(row.kind(), row.setup(), span, Warmth.Span::p99Micros)
                                    .map(p99 -> String.format(Locale.ROOT, "%.0f", p99.median()))
                                    .orElse("–"));
        }
        List<Row> rows = settings.kinds().stream()
                .flatMap(kind -> settings.setups().stream().map(setup -> new Row(kind, setup)))
                .filter(row -> result.after(row.kind(), row.setup(), 0, Warmth.Span::cpuMicros)
                        .isPresent())
                .toList();
        return rows.isEmpty() ? "" : "the operations after a start, medians\n" + table.of(rows);
    }

    /** Returns the CPU time per operation in a span; 0 if not measured. */
    private static double cpu(ColdstartBench.Result result, Row row, int span) {
        return result.after(row.kind(), row.setup(), span, Warmth.Span::cpuMicros)
                .map(Spread::median)
                .orElse(0.0);
    }

    private static String cpu(ColdstartBench.Result result, Row row, int span, String format, double unit) {
        double micros = cpu(result, row, span);
        return micros == 0 || unit == 0 ? "–" : String.format(Locale.ROOT, format, micros / unit);
    }
}
