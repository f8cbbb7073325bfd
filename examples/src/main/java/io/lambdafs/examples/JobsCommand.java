package io.lambdafs.examples;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.benchmarks.peers.Bench;
import io.lambdafs.benchmarks.peers.S3Store;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.options.Options;
import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.CommandLines;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.measure.BenchResult;
import io.lambdafs.hammer.measure.ReportedCommand;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code lambdafs bench jobs}. It is here and not with the other benchmarks, because it needs the jars of the examples.
 */
@Command(
        name = "jobs",
        description = {
            "Run TeraGen, TeraSort, TeraValidate and TestDFSIO on λFS with blocks in an object store, with "
                    + "and without the",
            "datanode's block cache, and over S3A on the same object store, in turns. Starts everything "
                    + "temporarily."
        })
final class JobsCommand extends ReportedCommand {
    /** Credentials of the object store to start; the launcher sets them, and λFS's processes inherit them. */
    private static final String ACCESS_KEY = "AWS_ACCESS_KEY_ID";

    private static final String SECRET_KEY = "AWS_SECRET_ACCESS_KEY";

    @Option(names = "--megabytes", paramLabel = "N", description = "Megabytes to sort (default ${DEFAULT-VALUE}).")
    private int megabytes = 256;

    @Option(names = "--files", paramLabel = "N", description = "Files of TestDFSIO (default ${DEFAULT-VALUE}).")
    private int files = 4;

    @Option(
            names = "--file-megabytes",
            paramLabel = "N",
            description = "Megabytes per file (default ${DEFAULT-VALUE}).")
    private int fileMegabytes = 64;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "Turns of each, after a small uncounted one (default ${DEFAULT-VALUE}).")
    private int rounds = 3;

    JobsCommand(Console console) {
        super(console);
    }

    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    /** Runs the command; returns its exit code. */
    static int run(String... arguments) {
        Console console = Console.ofProcess();
        CommandLine line = new CommandLine(new JobsCommand(console)).setCommandName("lambdafs bench jobs");
        PrintStream out = System.out;
        System.setOut(System.err); // For the output of Hadoop's jobs; the result has the real one to itself.
        try {
            return CommandLines.configured(line, console).execute(arguments);
        } finally {
            System.setOut(out);
        }
    }

    @Override
    protected BenchResult measure() throws InterruptedException {
        Options.check(megabytes >= 1 && megabytes <= 100_000, "--megabytes is 1..100000");
        Options.check(files >= 1 && files <= 1_000, "--files is 1..1000");
        Options.check(fileMegabytes >= 1 && fileMegabytes <= 100_000, "--file-megabytes is 1..100000");
        Options.check(rounds >= 1 && rounds <= 100, "--rounds is 1..100");
        try (Bench bench = new Bench(console)) {
            S3Store store = bench.startS3(System.getenv(ACCESS_KEY), System.getenv(SECRET_KEY));
            Map<String, Map<String, String>> systems = new LinkedHashMap<>();
            systems.put("lambdafs", lambdafs(bench, store, "cached", null));
            systems.put("lambdafs-no-block-cache", lambdafs(bench, store, "uncached", 0));
            Map<String, String> s3a = new LinkedHashMap<>(store.configuration());
            s3a.put(FileSystem.FS_DEFAULT_NAME_KEY, store.uri().toString());
            systems.put("s3a", s3a);
            // Megabytes per second of each phase on each file system, one value per turn.
            Map<String, Map<String, List<Double>>> rates = new LinkedHashMap<>();
            for (int round = 0; round <= rounds; round++) {
                for (Map.Entry<String, Map<String, String>> system : systems.entrySet()) {
                    console.say(system.getKey() + (round == 0 ? ", warming up" : ", turn " + round + " of " + rounds));
                    for (Job.Phase phase : turn(system.getValue(), round)) {
                        if (round > 0) {
                            rates.computeIfAbsent(phase.name(), name -> new LinkedHashMap<>())
                                    .computeIfAbsent(system.getKey(), name -> new ArrayList<>())
                                    .add(phase.bytes() / 1e6 / phase.seconds());
                        }
                    }
                }
                if (round > 0) {
                    soFar(result(rates, round));
                }
            }
            return result(rates, rounds);
        }
    }

    private Map<String, String> lambdafs(Bench bench, S3Store store, String name, @Nullable Integer cacheMb) {
        ObjectNode settings = JsonNodeFactory.instance.objectNode();
        URI bucket = store.bucket();
        ObjectNode blocks =
                settings.putObject("blocks").put("place", bucket + "/" + name).put("endpoint", store.endpoint());
        if (cacheMb != null) {
            blocks.put("cacheMb", cacheMb);
        }
        LocalCluster cluster = bench.start(new LocalCluster.StartOptions(null, settings));
        return Map.of(
                FileSystem.FS_DEFAULT_NAME_KEY,
                "lambdafs://" + name + "/",
                "lambdafs.dir",
                cluster.directory().root().toString());
    }

    /** Sorts in a directory of this turn: over S3Proxy's files a deleted one still seems to exist. */
    private List<Job.Phase> turn(Map<String, String> properties, int round) {
        boolean warmUp = round == 0;
        String root = "/terasort-" + round;
        List<Job.Phase> phases = new ArrayList<>();
        int sorted = warmUp ? Math.min(8, megabytes) : megabytes;
        int each = warmUp ? 1 : fileMegabytes;
        phases.addAll(ran(new TeraSortExample(), properties, "--megabytes", Integer.toString(sorted), "--root", root));
        remove(properties, root);
        phases.addAll(ran(
                new DfsIoExample(),
                properties,
                "--files",
                Integer.toString(files),
                "--megabytes",
                Integer.toString(each)));
        return phases;
    }

    private static Configuration configuration(Map<String, String> properties) {
        Configuration conf = new Configuration();
        properties.forEach(conf::set);
        return conf;
    }

    private static void remove(Map<String, String> properties, String root) {
        try (FileSystem fs = FileSystem.newInstance(configuration(properties))) {
            fs.delete(new Path(root), true);
        } catch (IOException e) {
            throw CommandFailure.ofFile("cannot remove " + root, e);
        }
    }

    private static List<Job.Phase> ran(Job job, Map<String, String> properties, String... arguments) {
        try {
            return CommandLine.populateCommand(job, arguments).runOn(configuration(properties));
        } catch (Exception e) {
            throw CommandFailure.of(e);
        }
    }

    private BenchResult result(Map<String, Map<String, List<Double>>> rates, int turns) {
        ObjectNode tree = JsonNodeFactory.instance
                .objectNode()
                .put("schema", 1)
                .put("megabytes", megabytes)
                .put("files", files)
                .put("fileMegabytes", fileMegabytes)
                .put("rounds", turns);
        ArrayNode array = tree.putArray("results");
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%d MB sorted, and %d files of %d MB; MB/s, the median of %d turns (least-greatest)%n%-14s %-24s %s",
                megabytes,
                files,
                fileMegabytes,
                turns,
                "phase",
                "file system",
                "MB/s"));
        rates.forEach((phase, bySystem) -> {
            bySystem.forEach((system, each) -> {
                List<Double> sorted = each.stream().sorted().toList();
                double median = sorted.get(sorted.size() / 2);
                array.addObject()
                        .put("phase", phase)
                        .put("fileSystem", system)
                        .put("megabytesPerSecond", median)
                        .put("least", sorted.get(0))
                        .put("greatest", sorted.get(sorted.size() - 1));
                text.append(String.format(
                        Locale.ROOT,
                        "%n%-14s %-24s %.1f (%.1f-%.1f)",
                        phase,
                        system,
                        median,
                        sorted.get(0),
                        sorted.get(sorted.size() - 1)));
            });
        });
        return new BenchResult(tree, text.toString());
    }
}
