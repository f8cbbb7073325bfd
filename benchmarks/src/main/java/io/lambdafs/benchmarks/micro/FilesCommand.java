package io.lambdafs.benchmarks.micro;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.benchmarks.peers.Bench;
import io.lambdafs.benchmarks.peers.Target;
import io.lambdafs.benchmarks.peers.Targets;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.TemporaryCluster;
import io.lambdafs.cluster.options.Options;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.measure.BenchResult;
import io.lambdafs.hammer.measure.ReportedCommand;
import io.lambdafs.hammer.measure.Spread;
import io.lambdafs.model.FsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code lambdafs bench files}. */
@Command(
        name = "files",
        description = {
            "Measure how fast contents are written and read, of one large file and of many small ones.",
            "Starts a temporary cluster with a datanode on a directory. Compares what it reads with what it " + "wrote."
        })
public final class FilesCommand extends ReportedCommand {
    private static final double MEGA = 1e6;
    private static final int MOST_KILOBYTES = 8_192;
    private static final List<String> PEERS = List.of(Targets.HDFS, Targets.DOOR);

    @Option(
            names = "--with",
            paramLabel = "PEER,…",
            split = ",",
            description =
                    "Also measure these in turns (Maven fetches their jars): hdfs; door, λFS by HDFS's own client at "
                            + "its cluster's hdfs door.")
    private List<String> with = List.of();

    @Option(
            names = "--megabytes",
            paramLabel = "N",
            description = "Size of the large file in MiB (default ${DEFAULT-VALUE}).")
    private int megabytes = 2_048;

    @Option(
            names = "--small",
            paramLabel = "N",
            description = "Number of small files of each size (default ${DEFAULT-VALUE}).")
    private int small = 4_000;

    @Option(
            names = "--size",
            paramLabel = "KB,KB",
            split = ",",
            description = "Sizes of small files in KB (default 4).")
    private List<Integer> kilobytes = List.of(4);

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Threads that write and read the small files (default ${DEFAULT-VALUE}).")
    private int threads = 8;

    @Option(names = "--rounds", paramLabel = "N", description = "Turns of each (default ${DEFAULT-VALUE}).")
    private int rounds = 3;

    @Option(
            names = "--turn-seconds",
            paramLabel = "S",
            description =
                    "Time limit for writing the small files of one size; a slower file system gets fewer files; 0 for "
                            + "no limit (default ${DEFAULT-VALUE}).")
    private long turnSeconds = 10;

    @Option(
            names = "--conf",
            paramLabel = "FILE",
            description = "JSON file with settings of the λFS cluster (default: no CPU limit for instances).")
    private @Nullable Path conf;

    public FilesCommand(Console console) {
        super(console);
    }

    @Override
    protected BenchResult measure() throws InterruptedException {
        Targets.checkPeers(with, PEERS);
        if (megabytes < 1 || small < threads || threads < 1 || rounds < 1) {
            throw FsException.invalidArgument("bench files takes 1 or more of each, and no more threads than files");
        }
        Options.check(turnSeconds >= 0, "--turn-seconds is 0 or more, not " + turnSeconds);
        kilobytes.forEach(each -> Options.check(
                each >= 1 && each <= MOST_KILOBYTES, "--size is 1.." + MOST_KILOBYTES + " KB, not " + each));
        FilesBench.Settings settings =
                new FilesBench.Settings(megabytes, small, kilobytes, threads, rounds, turnSeconds);
        double load = MeasuredOn.loadNow();
        try (Bench bench = new Bench(console)) {
            List<Target> targets = new ArrayList<>();
            ObjectNode keys = conf == null ? TemporaryCluster.unlimited() : JsonNodeFactory.instance.objectNode();
            boolean throughDoor = with.contains(Targets.DOOR);
            Target first = Targets.lambdafs(
                    bench.start(new LocalCluster.StartOptions(conf, throughDoor ? Targets.withDoor(keys) : keys)),
                    true);
            targets.add(first);
            List<Path> jars = with.isEmpty() ? List.of() : bench.hdfsJars();
            for (String peer : with) {
                targets.add(
                        peer.equals(Targets.DOOR)
                                ? Targets.door(first, jars)
                                : Targets.hdfs(bench.startHdfs(jars), jars));
            }
            Map<String, Map<String, List<Double>>> rates =
                    new FilesBench(settings, console).run(targets, bench.folder());
            return new BenchResult(json(settings, load, rates), text(settings, load, rates));
        }
    }

    static ObjectNode json(FilesBench.Settings settings, double load, Map<String, Map<String, List<Double>>> rates) {
        ObjectNode tree = JsonNodeFactory.instance
                .objectNode()
                .put("schema", 1)
                .put("megabytes", settings.megabytes())
                .put("small", settings.small())
                .put("threads", settings.threads())
                .put("rounds", settings.rounds())
                .put("turnSeconds", settings.turnSeconds())
                .put("loadBefore", load);
        rates.forEach((phase, byTarget) -> byTarget.forEach((target, each) -> {
            Spread spread = Spread.of(each);
            tree.withObject(phase)
                    .withObject(target)
                    .put("least", spread.min())
                    .put("median", spread.median())
                    .put("greatest", spread.max());
        }));
        return tree;
    }

    static String text(FilesBench.Settings settings, double load, Map<String, Map<String, List<Double>>> rates) {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "one file of %,d MB, %,d each of %s KB by %d threads%s; median of %d (least to greatest); machine load before: %.2f",
                settings.megabytes(),
                settings.small(),
                settings.kilobytes().stream().map(String::valueOf).collect(Collectors.joining(", ")),
                settings.threads(),
                settings.turnSeconds() == 0 ? "" : ", fewer where that takes over " + settings.turnSeconds() + " s",
                settings.rounds(),
                load));
        rates.forEach((phase, byTarget) -> {
            boolean large = !phase.startsWith("create") && !phase.startsWith("open");
            List<Double> ours = byTarget.getOrDefault(Targets.LAMBDAFS, List.of());
            byTarget.forEach((target, each) -> {
                Spread spread = Spread.of(each);
                double unit = large ? MEGA : 1;
                text.append(String.format(
                        Locale.ROOT,
                        "%n  %-11s %-9s %,9.0f %s (%,.0f to %,.0f)",
                        phase,
                        target,
                        spread.median() / unit,
                        large ? "MB/s" : "files/s",
                        spread.min() / unit,
                        spread.max() / unit));
                if (!target.equals(Targets.LAMBDAFS)) {
                    text.append(String.format(
                            Locale.ROOT, "; λFS does %.2f ×", Spread.of(ours).median() / spread.median()));
                }
            });
        });
        return text.toString();
    }
}
