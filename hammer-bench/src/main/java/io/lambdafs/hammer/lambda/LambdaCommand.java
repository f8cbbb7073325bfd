package io.lambdafs.hammer.lambda;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.TemporaryCluster;
import io.lambdafs.cluster.options.Options;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.load.LoadOptions;
import io.lambdafs.hammer.load.LoadRun;
import io.lambdafs.hammer.measure.BenchResult;
import io.lambdafs.hammer.measure.ReportedCommand;
import io.lambdafs.hammer.result.Latency;
import io.lambdafs.hammer.result.ReplayResult;
import io.lambdafs.hammer.tree.ImportResult;
import io.lambdafs.hammer.workload.Workload;
import io.lambdafs.model.FsPath;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code lambdafs bench lambda}. */
@Command(
        name = "lambda",
        description = {
            "Compare the cost of a million operations on AWS Lambda: served within invocations, or over TCP "
                    + "in held invocations.",
            "Replays the Spotify mix with bursts on temporary clusters whose instances are Lambda's own Java "
                    + "runtime, frozen between invocations. Fails if an operation fails, or its answer differs from the "
                    + "model's."
        })
public final class LambdaCommand extends ReportedCommand {
    private static final FsPath TARGET = FsPath.of("/data");
    private static final int DEPLOYMENTS = 2;
    private static final int MAX_INSTANCES = 3;
    private static final Pattern ACTIVE =
            Pattern.compile("(?m)^lambdafs_active_milliseconds_total(?:\\{[^}]*})? ([0-9.eE+]+)$");

    @Option(names = "--mode", paramLabel = "invocation|held", description = "Run only one of the two.")
    private @Nullable Mode mode;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "Length of each load in seconds (default ${DEFAULT-VALUE}).")
    private int seconds = 20;

    @Option(
            names = "--invocation-ops",
            paramLabel = "N",
            description = "Base load within invocations, in operations per second; bursts reach 7 times that (default "
                    + "${DEFAULT-VALUE}).")
    private double invocationOps = 5;

    @Option(
            names = "--held-ops",
            paramLabel = "N",
            description = "Base load in held invocations (default ${DEFAULT-VALUE}).")
    private double heldOps = 100;

    @Option(
            names = "--tree",
            paramLabel = "DIR",
            description = "Local tree to import as the namespace (default ${DEFAULT-VALUE}).")
    private Path tree = Path.of("/usr/share/doc");

    @Option(
            names = "--max-files",
            paramLabel = "N",
            description = "Maximum number of files to import (default ${DEFAULT-VALUE}).")
    private int maxFiles = 200;

    @Option(names = "--memory", paramLabel = "MB", description = "Memory of an instance (default ${DEFAULT-VALUE}).")
    private int memoryMb = 512;

    @Option(names = "--seed", paramLabel = "N", description = "Random seed (default ${DEFAULT-VALUE}).")
    private long seed = 1;

    public LambdaCommand(Console console) {
        super(console);
    }

    @Override
    protected BenchResult measure() throws InterruptedException, IOException {
        Map<Mode, LoadOptions> loads = new EnumMap<>(Mode.class);
        for (Mode each : mode == null ? EnumSet.allOf(Mode.class) : EnumSet.of(mode)) {
            double ops = ops(each);
            Options.check(ops >= 1 && ops <= 1_000_000, "--" + each.label() + "-ops is 1..1000000, not " + ops);
            loads.put(each, new LoadOptions(tree, maxFiles, seconds, ops, Path.of(".")));
        }
        List<Run> runs = new ArrayList<>();
        for (Map.Entry<Mode, LoadOptions> each : loads.entrySet()) {
            runs.add(run(each.getKey(), each.getValue()));
        }
        StringBuilder text = new StringBuilder();
        ArrayNode json = JsonNodeFactory.instance.arrayNode();
        List<String> failures = new ArrayList<>();
        for (Run run : runs) {
            text.append(run.text()).append('\n');
            json.add(run.json());
            if (run.failed() > 0) {
                failures.add(run.mode().label() + ": " + run.failed() + " operations failed");
            }
        }
        text.append(
                "The papers: λFS 0.047 (0.35 USD for 5 minutes at 25,000 ops/s, by active time), SLFS up to 63 % less");
        return new BenchResult(JsonNodeFactory.instance.objectNode().set("runs", json), text.toString(), failures);
    }

    private double ops(Mode which) {
        return which == Mode.HELD ? heldOps : invocationOps;
    }

    private ObjectNode settings(Mode which) {
        ObjectNode keys = JsonNodeFactory.instance
                .objectNode()
                .put("coordinator", "store")
                .put("inv", "relayed")
                .put("deployments", DEPLOYMENTS);
        keys.putObject("instance")
                .put("runtime", which == Mode.HELD ? "lambda-held" : "lambda")
                .put("concurrency", 1)
                .put("memoryMb", memoryMb)
                .put("cpuShare", 0);
        keys.putObject("pool")
                .put("maxInstances", MAX_INSTANCES)
                .put("memoryMb", DEPLOYMENTS * MAX_INSTANCES * memoryMb)
                .put("keepAliveMillis", 600_000)
                .put("prewarm", 0);
        keys.putObject("blocks").put("datanodes", 0);
        return keys;
    }

    private Run run(Mode which, LoadOptions options) throws InterruptedException, IOException {
        LocalCluster.StartOptions start = new LocalCluster.StartOptions(null, settings(which));
        try (TemporaryCluster temporary = TemporaryCluster.start(start, console);
                LambdaFs client = LoadRun.client(temporary.cluster())) {
            LocalCluster cluster = temporary.cluster();
            LoadRun load = new LoadRun(cluster, client, console, Duration.ofSeconds(30), Duration.ofSeconds(1));
            // Each instance serves one operation at a time; a client that finds none free tries again, and among many,
            // some would wait too long.
            ImportResult imported = load.importTree(options, TARGET, DEPLOYMENTS * MAX_INSTANCES);
            JsonNode before = cluster.gateway().client().usage();
            long activeBefore = active(cluster);
            Map<Long, Long> cpuBefore = cpu(cluster);
            ReplayResult result =
                    load.replay(imported, Workload.spotify(Duration.ofSeconds(seconds), options.baseOps(), seed));
            JsonNode after = cluster.gateway().client().usage();
            long cpu = 0;
            for (Map.Entry<Long, Long> each : cpu(cluster).entrySet()) {
                cpu += each.getValue() - cpuBefore.getOrDefault(each.getKey(), 0L);
            }
            Latency latency = result.latencyMicros().get(ReplayResult.ALL);
            return new Run(
                    which,
                    memoryMb,
                    result.operations(),
                    result.failed(),
                    latency == null ? 0 : (double) latency.p50(),
                    latency == null ? 0 : (double) latency.p99(),
                    result.peakInstances(),
                    activations(after) - activations(before),
                    after.path("billedMillis").asLong()
                            - before.path("billedMillis").asLong(),
                    active(cluster) - activeBefore,
                    cpu);
        }
    }

    private static long activations(JsonNode usage) {
        long all = 0;
        for (JsonNode each : usage.path("deployments")) {
            all += each.path("activations").asLong();
        }
        return all;
    }

    /** Returns the processor time of each instance in milliseconds, by its process id. */
    private static Map<Long, Long> cpu(LocalCluster cluster) {
        Map<Long, Long> all = new HashMap<>();
        for (JsonNode each : cluster.gateway().client().instances()) {
            long pid = each.path("pid").asLong();
            ProcessHandle.of(pid)
                    .flatMap(process -> process.info().totalCpuDuration())
                    .ifPresent(used -> all.put(pid, used.toMillis()));
        }
        return all;
    }

    /** Returns the active milliseconds, from the gateway's metrics page. */
    private static long active(LocalCluster cluster) throws IOException, InterruptedException {
        HttpRequest page = HttpRequest.newBuilder(
                        cluster.gateway().client().gateway().resolve("/metrics"))
                .build();
        String text = HttpClient.newHttpClient()
                .send(page, HttpResponse.BodyHandlers.ofString())
                .body();
        Matcher line = ACTIVE.matcher(text);
        double sum = 0;
        while (line.find()) {
            sum += Double.parseDouble(line.group(1));
        }
        return Math.round(sum);
    }
}
