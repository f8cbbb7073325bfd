package io.lambdafs.hammer.phases;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.TemporaryCluster;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.load.LoadRun;
import io.lambdafs.hammer.measure.BenchCommand;
import io.lambdafs.hammer.measure.BenchResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What experiments in phases share: they start a cluster, run, and print a row for each phase. */
abstract class PhasesCommand extends BenchCommand {
    @Option(
            names = "--clients",
            paramLabel = "N",
            description = "Clients, each one operation at a time (default ${DEFAULT-VALUE}).")
    private int clients = 16;

    @Option(names = "--files", paramLabel = "N", description = "Files of each client (default ${DEFAULT-VALUE}).")
    private int files = 1_000;

    @Option(
            names = "--conf",
            paramLabel = "FILE",
            description = "JSON with settings of the cluster; without it instances have no CPU limit.")
    private @Nullable Path conf;

    PhasesCommand(Console console) {
        super(console);
    }

    /** What is run. */
    abstract PhasesSettings settings(int clients, int files);

    @Override
    protected BenchResult measure() throws InterruptedException {
        PhasesSettings settings = settings(clients, files);
        ObjectNode keys = conf == null ? TemporaryCluster.unlimited() : JsonNodeFactory.instance.objectNode();
        try (TemporaryCluster temporary = TemporaryCluster.start(new LocalCluster.StartOptions(conf, keys), console);
                LambdaFs client = LoadRun.client(temporary.cluster())) {
            // No cold start is counted.
            BlockingLambdaFs.await(client.warmUp());
            PhasesBench bench = new PhasesBench(client::execute, settings);
            List<PhaseResult> results = bench.run();
            return new BenchResult(json(settings, results), text(settings, results), failures(results, bench));
        }
    }

    private static List<String> failures(List<PhaseResult> results, PhasesBench bench) {
        List<String> failures = new ArrayList<>();
        long failed = results.stream().mapToLong(PhaseResult::failed).sum();
        if (failed > 0) {
            failures.add(failed + " operations failed");
            failures.addAll(bench.failures());
        }
        return failures;
    }

    private static ObjectNode json(PhasesSettings settings, List<PhaseResult> results) {
        ObjectNode tree = JsonNodeFactory.instance.objectNode().put("schema", 1);
        tree.put("clients", settings.clients()).put("files", settings.files()).put("bytes", settings.bytes());
        ArrayNode phases = tree.putArray("phases");
        for (PhaseResult each : results) {
            phases.addObject()
                    .put("phase", each.phase().label())
                    .put("operations", each.latency().count())
                    .put("failed", each.failed())
                    .put("seconds", each.seconds())
                    .put("opsPerSecond", Math.round(each.opsPerSecond()))
                    .put("p50Micros", each.latency().p50())
                    .put("p99Micros", each.latency().p99())
                    .put("p999Micros", each.latency().p999());
        }
        return tree;
    }

    private static String text(PhasesSettings settings, List<PhaseResult> results) {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%d clients, %,d files each, %s, %,d bytes a file%n%-15s %10s %10s %10s %10s %10s %8s%n",
                settings.clients(),
                settings.files(),
                settings.shared() ? "all in one directory" : "a directory each",
                settings.bytes(),
                "",
                "operations",
                "ops/s",
                "p50 ms",
                "p99 ms",
                "p99.9 ms",
                "failed"));
        for (PhaseResult each : results) {
            text.append(String.format(
                    Locale.ROOT,
                    "%-15s %,10d %,10.0f %10.2f %10.2f %10.2f %,8d%n",
                    each.phase().label(),
                    each.latency().count(),
                    each.opsPerSecond(),
                    each.latency().p50() / 1e3,
                    each.latency().p99() / 1e3,
                    each.latency().p999() / 1e3,
                    each.failed()));
        }
        return text.append(
                        "(service times of a closed loop: each client's next operation starts when the one before is answered)")
                .toString();
    }
}
