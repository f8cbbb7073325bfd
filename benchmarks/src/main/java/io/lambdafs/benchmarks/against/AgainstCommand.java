package io.lambdafs.benchmarks.against;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.TemporaryCluster;
import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.cluster.terminal.Launcher;
import io.lambdafs.hammer.measure.BenchResult;
import io.lambdafs.hammer.measure.ReportedCommand;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.disk.Folders;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lambdafs bench against}. */
@Command(
        name = "against",
        description = {
            "Measure whether this build is slower than another: both builds' clients and servers, in turns.",
            "Exit code 1 if the median ratio of an operation's throughput is below the bound, or that of its CPU above its inverse;",
            "the verdict is uncertain where the 90 %% interval of that median includes the bound: use more --rounds."
        })
public final class AgainstCommand extends ReportedCommand {

    @Parameters(paramLabel = "DIR", description = "Checkout of the other build; its launcher builds what is missing.")
    private Path other = Path.of("");

    @Option(
            names = "--ops",
            paramLabel = "OP,…",
            split = ",",
            description = "Operations of bench micro (default spotify,create).")
    private List<String> ops = List.of("spotify", "create");

    @Option(
            names = "--conf",
            paramLabel = "FILE",
            description = {
                "JSON file with settings of this build's cluster only:",
                "with this checkout as DIR, measures a setting."
            })
    private @Nullable Path conf;

    @Option(names = "--threads", paramLabel = "N", description = "Client threads (default ${DEFAULT-VALUE}).")
    private int threads = 32;

    @Option(names = "--rounds", paramLabel = "N", description = "Pairs of turns, 5–1000 (default ${DEFAULT-VALUE}).")
    private int rounds = 15;

    @Option(names = "--seconds", paramLabel = "S", description = "Length of a turn (default ${DEFAULT-VALUE}).")
    private double seconds = 2;

    @Option(
            names = "--warm-up",
            paramLabel = "S",
            description = "Uncounted warm-up before each turn (default ${DEFAULT-VALUE}).")
    private double warmUp = 1;

    @Option(
            names = "--directories",
            paramLabel = "N",
            description = "Directories of 20 files for the Spotify mix, created anew for each turn (default "
                    + "${DEFAULT-VALUE}).")
    private int directories = 1_000;

    @Option(
            names = "--bound",
            paramLabel = "RATIO",
            description =
                    "Lowest throughput ratio (default ${DEFAULT-VALUE}); CPU per operation may grow by its inverse.")
    private double bound = 0.95;

    @Option(names = "--seed", paramLabel = "N", description = "Random seed (default ${DEFAULT-VALUE}).")
    private long seed = 1;

    public AgainstCommand(Console console) {
        super(console);
    }

    @Override
    protected BenchResult measure() throws InterruptedException, IOException {
        Path launcher = demandLauncher(other.resolve("lambdafs"));
        if (rounds < PairedRatios.FEWEST || rounds > 1_000) {
            throw FsException.invalidArgument("--rounds takes 5 to 1000, not " + rounds);
        }
        if (!(bound > 0 && bound <= 1)) {
            throw FsException.invalidArgument("--bound takes a ratio up to 1, not " + bound);
        }
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        Path folder = Files.createTempDirectory("lambdafs-against-");
        Build before = new Build(launcher, Files.createDirectory(folder.resolve("before")));
        Build now = new Build(own(), Files.createDirectory(folder.resolve("now")));
        // At the last round, a failure or Ctrl-C, whichever comes first.
        AtomicBoolean ended = new AtomicBoolean();
        Runnable end = () -> {
            if (ended.compareAndSet(false, true)) {
                end(before, now, folder);
            }
        };
        Runtime.getRuntime().addShutdownHook(new Thread(end, "end-bench-against"));
        try {
            Path settings = Files.writeString(
                    folder.resolve("settings.json"), settings().toString());
            Path own = Files.writeString(
                    folder.resolve("own.json"), with(settings(), conf).toString());
            console.progress("  starting a cluster of each build");
            before.start(settings);
            now.start(own);
            List<Comparison> comparisons = new ArrayList<>();
            for (String op : ops) {
                Comparison comparison = compare(op, before, now);
                console.progress("  " + comparison.line(bound));
                comparisons.add(comparison);
            }
            return result(comparisons, load);
        } finally {
            end.run();
        }
    }

    private static Path own() {
        Path launcher = Launcher.path()
                .orElseThrow(() -> FsException.invalidArgument("bench against runs by the launcher, lambdafs, only"));
        return demandLauncher(launcher);
    }

    private static Path demandLauncher(Path launcher) {
        if (!Files.isExecutable(launcher)) {
            throw FsException.invalidArgument(launcher + " is no launcher of a build: name a checkout's directory");
        }
        return launcher.toAbsolutePath();
    }

    private static ObjectNode settings() {
        return TemporaryCluster.unlimited()
                .put("deployments", Math.max(2, Runtime.getRuntime().availableProcessors()));
    }

    /** Returns settings, overridden by those of a file. */
    static JsonNode with(ObjectNode settings, @Nullable Path file) throws IOException {
        if (file == null) {
            return settings;
        }
        try {
            return new ObjectMapper().readerForUpdating(settings).readTree(Files.readString(file));
        } catch (JsonProcessingException e) {
            throw FsException.invalidArgument("--conf " + file + ": it is not JSON: " + e.getOriginalMessage(), e);
        }
    }

    /** Reverses the order with every pair. The first pair warms both clusters up and does not count. */
    private Comparison compare(String op, Build before, Build now) throws InterruptedException {
        List<JsonNode> olds = new ArrayList<>();
        List<JsonNode> news = new ArrayList<>();
        for (int i = 0; i <= rounds; i++) {
            List<String> options = options(op, i);
            if (i % 2 == 0) {
                olds.add(done(op, before.measure(options)));
                news.add(done(op, now.measure(options)));
            } else {
                news.add(done(op, now.measure(options)));
                olds.add(done(op, before.measure(options)));
            }
            console.progress(String.format(
                    Locale.ROOT,
                    "  %s: %s, %.2f times as fast",
                    op,
                    i == 0 ? "warmed up" : "pair " + i + " of " + rounds,
                    Comparison.rate(news.get(i)) / Comparison.rate(olds.get(i))));
        }
        return Comparison.of(op, olds.subList(1, olds.size()), news.subList(1, news.size()));
    }

    private List<String> options(String op, int round) {
        return List.of(
                "--ops=" + op,
                "--threads=" + threads,
                "--window=0",
                "--rounds=1",
                "--seconds=" + seconds,
                "--warm-up=" + warmUp,
                "--directories=" + directories,
                "--seed=" + (seed + round));
    }

    private static JsonNode done(String op, JsonNode result) {
        if (result.path("ops").asLong() == 0 || result.path("failed").asLong() > 0) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    ErrorCode.INTERNAL,
                    op + ": " + result.path("failed").asLong() + " calls failed: "
                            + result.path("failure").asText());
        }
        return result;
    }

    private BenchResult result(List<Comparison> comparisons, double load) {
        ObjectNode tree = JsonNodeFactory.instance.objectNode().put("schema", 1);
        tree.put("against", other.toAbsolutePath().normalize().toString())
                .put("rounds", rounds)
                .put("seconds", seconds)
                .put("threads", threads)
                .put("seed", seed)
                .put("bound", bound);
        tree.putObject("machine")
                .put("processors", Runtime.getRuntime().availableProcessors())
                .put("java", System.getProperty("java.version"))
                .put("loadAverage", load);
        StringBuilder text = new StringBuilder(String.format(
                "%-12s %11s %11s   %-18s  %s",
                "operation", "before /s", "now /s", "ratio (90 %)", "CPU per op (90 %)"));
        for (Comparison each : comparisons) {
            each.write(tree.withArray("operations").addObject(), bound);
            text.append(System.lineSeparator()).append(each.line(bound));
        }
        return new BenchResult(
                tree,
                text.toString(),
                comparisons.stream()
                        .filter(each -> !each.holds(bound))
                        .map(each -> each.op() + " is slower than the bound allows: " + each.verdict(bound))
                        .toList());
    }

    private void end(Build before, Build now, Path folder) {
        for (Build each : List.of(before, now)) {
            try {
                each.stop();
            } catch (CommandFailure e) {
                console.say(e.line());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
        Folders.remove(folder, console::say);
    }
}
