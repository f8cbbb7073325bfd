package io.lambdafs.benchmarks.micro;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.benchmarks.micro.driver.FailoverMain;
import io.lambdafs.benchmarks.peers.Bench;
import io.lambdafs.benchmarks.peers.HdfsPair;
import io.lambdafs.benchmarks.peers.Servers;
import io.lambdafs.benchmarks.peers.Target;
import io.lambdafs.benchmarks.peers.Targets;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.TemporaryCluster;
import io.lambdafs.cluster.options.Options;
import io.lambdafs.cluster.process.JavaCommand;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.measure.BenchResult;
import io.lambdafs.hammer.measure.MeasuringProcess;
import io.lambdafs.hammer.measure.ReportedCommand;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code lambdafs bench failover}. */
@Command(
        name = "failover",
        description = {
            "Kill a NameNode and show what clients see, in steps of 0.1 s: an instance of λFS, and with "
                    + "--with hdfs the active",
            "NameNode of two. Threads stat files; every tenth operation creates one. Starts temporary " + "clusters."
        })
public final class FailoverCommand extends ReportedCommand {
    private static final int HEAP_MB = 512;
    private static final String ROOT = "/failover";

    @Option(names = "--with", paramLabel = "hdfs", description = "Then do the same with HDFS (Maven fetches its jars).")
    private @Nullable String with;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "Length of each run in seconds (default ${DEFAULT-VALUE}).")
    private int seconds = 40;

    @Option(
            names = "--kill-at",
            paramLabel = "S",
            description = "Second at which the server is killed (default ${DEFAULT-VALUE}).")
    private int killAt = 8;

    @Option(names = "--threads", paramLabel = "N", description = "Client threads (default ${DEFAULT-VALUE}).")
    private int threads = 16;

    public FailoverCommand(Console console) {
        super(console);
    }

    @Override
    protected BenchResult measure() throws InterruptedException {
        Options.check(with == null || with.equals(Targets.HDFS), "--with knows hdfs, not \"" + with + "\"");
        Options.check(seconds >= 4 && seconds <= 3_600, "--seconds is 4..3600, not " + seconds);
        Options.check(killAt >= 2 && killAt < seconds - 1, "--kill-at is 2..--seconds - 2, not " + killAt);
        Options.check(threads >= 1 && threads <= 256, "--threads is 1..256, not " + threads);
        List<FailoverCurve> curves = new ArrayList<>();
        try (Bench bench = new Bench(console)) {
            LocalCluster cluster = bench.start(new LocalCluster.StartOptions(null, TemporaryCluster.unlimited()));
            Target own = Targets.lambdafs(cluster, true);
            curves.add(run(bench, own, "an instance", () -> killInstance(cluster)));
            if (with != null) {
                List<Path> jars = bench.hdfsJars();
                HdfsPair pair = bench.startPair(jars);
                Target hdfs = new Target(
                        Targets.HDFS,
                        pair.uri(),
                        pair.configuration(),
                        null,
                        Targets.withDriver(jars),
                        Servers.UNKNOWN,
                        true);
                curves.add(run(bench, hdfs, "the active NameNode", pair::killActive));
            }
        }
        ObjectNode tree = JsonNodeFactory.instance
                .objectNode()
                .put("schema", 1)
                .put("seconds", seconds)
                .put("threads", threads);
        ArrayNode all = tree.putArray("curves");
        curves.forEach(curve -> curve.write(all.addObject()));
        return new BenchResult(
                tree,
                curves.stream().map(FailoverCurve::text).collect(Collectors.joining(System.lineSeparator())),
                curves.stream()
                        .filter(curve -> curve.name().equals(Targets.LAMBDAFS) && curve.failed() > 0)
                        .map(curve -> curve.failed() + " calls failed; the last: " + curve.failure())
                        .toList());
    }

    private static void killInstance(LocalCluster cluster) {
        for (JsonNode each : cluster.gateway().client().instances()) {
            if (each.path("deployment").asText().startsWith(LocalCluster.ACTION_PREFIX)) {
                ProcessHandle.of(each.path("pid").asLong(-1)).ifPresent(ProcessHandle::destroyForcibly);
                return;
            }
        }
    }

    private FailoverCurve run(Bench bench, Target target, String lost, Runnable kill) throws InterruptedException {
        console.progress("  " + target.name() + ": " + seconds + " s");
        ObjectNode settings = JsonNodeFactory.instance
                .objectNode()
                .put("uri", target.uri().toString())
                .put("root", ROOT)
                .put("seconds", seconds)
                .put("threads", threads);
        ObjectNode conf = settings.putObject("conf");
        target.configuration().forEach(conf::put);
        String classPath =
                target.classPath().stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        List<String> command = new ArrayList<>(JavaCommand.measuring(FailoverMain.class, HEAP_MB, classPath));
        command.add(settings.toString());
        List<String> results = new ArrayList<>();
        List<Future<?>> kills = new ArrayList<>();
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        MeasuringProcess process =
                new MeasuringProcess(target.name(), bench.folder().resolve(target.name() + "-failover.log"));
        try {
            process.run(command, line -> {
                if (line.equals("begin")) {
                    kills.add(timer.schedule(kill, killAt, TimeUnit.SECONDS));
                } else {
                    results.add(line);
                }
            });
        } finally {
            timer.shutdownNow();
        }
        if (results.size() != 1 || kills.size() != 1) {
            throw process.failure("said something else than its result: " + results);
        }
        return curve(target.name(), lost, results.get(0), process);
    }

    private FailoverCurve curve(String name, String lost, String result, MeasuringProcess process) {
        try {
            JsonNode json = new ObjectMapper().readTree(result);
            List<Long> done = new ArrayList<>();
            json.path("done").forEach(each -> done.add(each.asLong()));
            return new FailoverCurve(
                    name,
                    lost,
                    killAt * 1_000L,
                    done,
                    json.path("failed").asLong(),
                    json.path("failure").asText(),
                    json.path("longestMillis").asLong(),
                    json.path("stuck").asLong());
        } catch (JsonProcessingException e) {
            throw process.failure("said no JSON: " + result);
        }
    }
}
