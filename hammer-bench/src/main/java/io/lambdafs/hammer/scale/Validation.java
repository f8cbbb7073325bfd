package io.lambdafs.hammer.scale;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.TemporaryCluster;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.ImportResult;
import io.lambdafs.hammer.Latency;
import io.lambdafs.hammer.ReplayResult;
import io.lambdafs.hammer.load.LoadOptions;
import io.lambdafs.hammer.load.LoadRun;
import io.lambdafs.hammer.measure.BenchResult;
import io.lambdafs.model.FsPath;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** Runs a load on real local clusters and simulated, and says how far the two are apart. Confined to one thread. */
final class Validation {
    private static final FsPath TARGET = FsPath.of("/data");
    private static final Duration DRAIN = Duration.ofSeconds(30);
    private static final int MAX_FILES = 5_000;
    /** Of throughput, median and instances, unless five real runs differ by more. */
    private static final double BOUND = 0.15;
    /** Of the 99th percentile, either way. */
    private static final double FACTOR = 2;
    /** For each real run; each takes a second, and its figures differ as much as theirs. */
    private static final int SIMULATIONS = 5;

    private final Console console;
    private final Map<String, Double> values;
    private final int runs;
    private final long seed;
    private final Real clusters;

    Validation(Console console, Map<String, Double> values, int runs, long seed) {
        this(console, values, runs, seed, load -> onCluster(console, load, seed));
    }

    /** @param clusters runs a load for real */
    Validation(Console console, Map<String, Double> values, int runs, long seed, Real clusters) {
        this.clusters = clusters;
        this.console = console;
        this.values = new TreeMap<>(values);
        this.runs = runs;
        this.seed = seed;
    }

    /**
     * A load done.
     *
     * @param cpuSeconds processor time that it took; NaN where the system does not tell
     */
    private record Run(ReplayResult result, double cpuSeconds) {}

    /**
     * A load done by a real cluster, on so many imported directories and files.
     *
     * @param cpuSeconds processor time that it took; NaN where the system does not tell
     */
    record RealRun(ReplayResult result, double cpuSeconds, long directories, long files) {}

    /** Does a load. */
    @FunctionalInterface
    interface Real {
        /** @param values of the scenario, with the load */
        RealRun run(Map<String, Double> values);
    }

    /** One figure: what real runs and simulated ones have. */
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

    /** Compares at each of these loads, operations a second. */
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

    /** The load of the real runs under other chances: near the edge of what the machine can do, a few runs are no measure. */
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

    /** A cluster as it comes, one instance of each deployment of which imports. */
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
            int most = cluster.gatewayClient().maxInstances();
            cluster.gatewayClient().scale(1);
            ImportResult imported = run.importTree(options, TARGET);
            cluster.gatewayClient().scale(most);
            double before = ProcessorTime.busySeconds();
            ReplayResult result =
                    run.replay(imported, ScaleSettings.of(values, seed).workload());
            return new RealRun(result, ProcessorTime.busySeconds() - before, imported.directories(), imported.files());
        }
    }

    private static String text(List<Row> rows) {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%10s %-10s %10s %10s %10s %10s %8s%n",
                "load",
                "",
                "real",
                "least",
                "most",
                "simulated",
                "error"));
        for (Row row : rows) {
            text.append(String.format(
                    Locale.ROOT,
                    "%,10.0f %-10s %10.2f %10.2f %10.2f %10.2f %7.0f%% %s%n",
                    row.load,
                    row.name,
                    row.median(),
                    row.least(),
                    row.most(),
                    row.simulated(),
                    row.error() * 100,
                    row.holds() ? "" : "apart"));
        }
        return text.append("apart: further than 15 % (p99: a factor of 2) and beyond what the real runs differ by\n")
                .toString();
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
