package io.lambdafs.hammer.scale;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.TemporaryCluster;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.load.LoadOptions;
import io.lambdafs.hammer.load.LoadRun;
import io.lambdafs.hammer.measure.BenchResult;
import io.lambdafs.hammer.report.TextTable;
import io.lambdafs.hammer.result.Latency;
import io.lambdafs.hammer.result.ReplayResult;
import io.lambdafs.hammer.tree.ImportResult;
import io.lambdafs.model.FsPath;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** Runs a load on real local clusters and in simulation, and compares the results. Confined to one thread. */
final class Validation {
    private static final FsPath TARGET = FsPath.of("/data");
    private static final Duration DRAIN = Duration.ofSeconds(30);
    private static final int MAX_FILES = 5_000;
    /** Tolerance for throughput, median and instances, unless five real runs differ by more. */
    private static final double BOUND = 0.15;
    /** Tolerance for the 99th percentile, as a factor either way. */
    private static final double FACTOR = 2;
    /** Simulations per real run; each takes a second, and their figures vary as much as the real ones. */
    private static final int SIMULATIONS = 5;

    private final Console console;
    private final Map<String, Double> values;
    private final int runs;
    private final long seed;
    private final Real clusters;

    Validation(Console console, Map<String, Double> values, int runs, long seed) {
        this(console, values, runs, seed, load -> onCluster(console, load, seed));
    }

    /** @param clusters runs a load on a real cluster */
    Validation(Console console, Map<String, Double> values, int runs, long seed, Real clusters) {
        this.clusters = clusters;
        this.console = console;
        this.values = new TreeMap<>(values);
        this.runs = runs;
        this.seed = seed;
    }

    /**
     * One run of a load.
     *
     * @param cpuSeconds processor time used; NaN if the system does not report it
     */
    private record Run(ReplayResult result, double cpuSeconds) {}

    /**
     * One run of a load on a real cluster, with its numbers of imported directories and files.
     *
     * @param cpuSeconds processor time used; NaN if the system does not report it
     */
    record RealRun(ReplayResult result, double cpuSeconds, long directories, long files) {}

    /** Runs a load on a real cluster. */
    @FunctionalInterface
    interface Real {
        /** @param values of the scenario, with the load */
        RealRun run(Map<String, Double> values);
    }

    /** One figure of real and simulated runs. */
    private record Row(double load, String name, List<Double> real, List<Double> simulations, boolean byFactor) {
        private static double middle(List<Double> values) {
            return values.stream().sorted().toList().get(values.size() / 2);
        }

        double median() {
            return middle(real);
        }

        double simulated() {
            return middle(simulations);
        }

        double error() {
            return median() == 0 ? 0 : simulated() / median() - 1;
        }

        boolean isWithinSpread() {
            return simulated() >= least() && simulated() <= most();
        }

        double least() {
            return real.stream().mapToDouble(Double::doubleValue).min().orElse(0);
        }

        double most() {
            return real.stream().mapToDouble(Double::doubleValue).max().orElse(0);
        }

        boolean holds() {
            if (isWithinSpread()) {
                return true;
            }
            double ratio = 1 + error();
            return byFactor ? ratio <= FACTOR && ratio >= 1 / FACTOR : Math.abs(error()) <= BOUND;
        }
    }

    /** Compares at each of these loads, operations per second. */
    BenchResult run(List<Double> loads) {
        List<Row> rows = new ArrayList<>();
        for (double load : loads) {
            values.put("workload.base-ops", load);
            List<Run> real = new ArrayList<>();
            for (int i = 0; i < runs; i++) {
                console.say(String.format(Locale.ROOT, "%,.0f ops/s: real run %d of %d", load, i + 1, runs));
                RealRun run = clusters.run(values);
                real.add(new Run(run.result, run.cpuSeconds));
                long directories = Math.max(1, run.directories);
                values.put("namespace.directories", (double) directories);
                values.put("namespace.files-per-directory", (double)
                        Math.max(1, Math.round((double) run.files / directories)));
            }
            List<Run> simulated = simulated();
            row(rows, load, "done/s", real, simulated, run -> run.result().opsPerSecond(), false);
            row(rows, load, "p50 ms", real, simulated, run -> all(run).p50() / 1e3, false);
            row(rows, load, "p99 ms", real, simulated, run -> all(run).p99() / 1e3, true);
            row(rows, load, "instances", real, simulated, run -> run.result().peakInstances(), false);
            if (real.stream().noneMatch(run -> Double.isNaN(run.cpuSeconds()))) {
                row(rows, load, "cpu s", real, simulated, Run::cpuSeconds, false);
            }
        }
        return new BenchResult(json(rows), text(rows));
    }

    private static Latency all(Run run) {
        Latency all = run.result().latencyMicros().get(ReplayResult.ALL);
        if (all == null) {
            throw new IllegalStateException("no latency of all operations");
        }
        return all;
    }

    private static void row(
            List<Row> rows,
            double load,
            String name,
            List<Run> real,
            List<Run> simulated,
            ToDoubleFunction<Run> of,
            boolean byFactor) {
        rows.add(new Row(
                load,
                name,
                real.stream().map(of::applyAsDouble).toList(),
                simulated.stream().map(of::applyAsDouble).toList(),
                byFactor));
    }

    /**
     * Simulates the load of the real runs with other seeds: near the limit of the machine, a few runs are not enough.
     */
    private List<Run> simulated() {
        ScaleSettings settings = ScaleSettings.of(values, seed);
        ScaleSettings.Machine machine = settings.machine();
        List<Run> all = new ArrayList<>();
        for (int i = 0; i < runs * SIMULATIONS; i++) {
            ScaleResult result = ScaleRun.run("local", settings, seed + i, second -> {});
            double others =
                    machine.others() * machine.processors() * result.replay().seconds();
            all.add(new Run(result.replay(), result.machineSeconds() - others));
        }
        return all;
    }

    /** Runs the load on a default cluster, with an import by one instance of each deployment. */
    private static RealRun onCluster(Console console, Map<String, Double> values, long seed) {
        LoadOptions options = new LoadOptions(
                Path.of("/usr/share"),
                MAX_FILES,
                values.getOrDefault("workload.seconds", 30.0).intValue(),
                values.getOrDefault("workload.base-ops", 1.0),
                Path.of("lambdafs-report"));
        try (TemporaryCluster temporary = TemporaryCluster.start(LocalCluster.StartOptions.none(), console);
                LambdaFs client = LoadRun.client(temporary.cluster())) {
            LocalCluster cluster = temporary.cluster();
            LoadRun run = new LoadRun(cluster, client, console, DRAIN, Duration.ZERO);
            int most = cluster.gateway().client().maxInstances();
            cluster.gateway().client().scale(1);
            ImportResult imported = run.importTree(options, TARGET);
            cluster.gateway().client().scale(most);
            double before = ProcessorTime.busySeconds();
            ReplayResult result =
                    run.replay(imported, ScaleSettings.of(values, seed).workload());
            return new RealRun(result, ProcessorTime.busySeconds() - before, imported.directories(), imported.files());
        }
    }

    private static String text(List<Row> rows) {
        return new TextTable<Row>()
                        .number("load", 10, "%,.0f", row -> row.load)
                        .left("", 10, row -> row.name)
                        .number("real", 10, "%.2f", Row::median)
                        .number("least", 10, "%.2f", Row::least)
                        .number("most", 10, "%.2f", Row::most)
                        .number("simulated", 10, "%.2f", Row::simulated)
                        .number("error", 8, "%.0f%%", row -> row.error() * 100)
                        .left("", 1, row -> row.holds() ? "" : "apart")
                        .of(rows)
                + "apart: further than 15 % (p99: a factor of 2) and beyond what the real runs differ by\n";
    }

    private static ObjectNode json(List<Row> rows) {
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("schema", 1);
        ArrayNode array = json.putArray("rows");
        for (Row row : rows) {
            ObjectNode one = array.addObject()
                    .put("load", row.load)
                    .put("figure", row.name)
                    .put("simulated", row.simulated())
                    .put("realMedian", row.median())
                    .put("error", row.error())
                    .put("holds", row.holds());
            ArrayNode each = one.putArray("real");
            row.real.forEach(each::add);
            ArrayNode simulations = one.putArray("simulations");
            row.simulations.forEach(simulations::add);
        }
        return json;
    }
}
