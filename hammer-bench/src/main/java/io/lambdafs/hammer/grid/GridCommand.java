package io.lambdafs.hammer.grid;

import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.options.Options;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.emulation.EmulateOption;
import io.lambdafs.hammer.emulation.Emulation;
import io.lambdafs.hammer.measure.BenchCommand;
import io.lambdafs.hammer.measure.BenchResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The common parts of experiments over a grid: their sizes, and their report. */
abstract class GridCommand extends BenchCommand {
    /** The paper's §5.3.1. */
    private static final List<Integer> PAPER_CLIENTS = List.of(8, 16, 32, 64, 128, 256, 512, 1_024);

    private static final int PAPER_OPERATIONS = 3_072;
    private static final double NO_LIMIT_SECONDS = 3_600;

    @Option(
            names = "--ops",
            paramLabel = "OP,OP",
            split = ",",
            description = "Operations to measure: read, stat, ls, create, mkdirs.")
    private List<String> ops = List.of();

    @Option(names = "--clients", paramLabel = "N,N", split = ",", description = "Numbers of concurrent operations.")
    private List<Integer> clients = List.of();

    @Option(
            names = "--operations",
            paramLabel = "N",
            description = "Maximum operations of each client and cell (default ${DEFAULT-VALUE}).")
    private int operations = 1_000_000;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "Maximum length of a cell in seconds (default ${DEFAULT-VALUE}).")
    private double seconds = 2;

    @Option(names = "--paper", description = "Use the paper's size: 8 to 1,024 clients, 3,072 operations each.")
    private boolean paper;

    @Option(
            names = "--report",
            paramLabel = "DIR",
            description = "Directory for the page, CSV and JSON (default ${DEFAULT-VALUE}).")
    private Path report = Path.of("lambdafs-report");

    @Mixin
    private EmulateOption emulate = new EmulateOption();

    GridCommand(Console console) {
        super(console);
    }

    /** Returns the setups to measure, in order. */
    abstract List<Setup> setups(ClusterSettings usual);

    abstract GridOp[] usualOps();

    abstract List<Integer> usualClients();

    /** Reads the emulation asked for, or the usual one. */
    Emulation emulation(EmulateOption option) {
        return option.orNone();
    }

    /** Creates an empty report. */
    abstract GridReport empty();

    @Override
    protected BenchResult measure() throws InterruptedException {
        Options.check(operations >= 1, "--operations is 1 or more, not " + operations);
        Options.check(seconds > 0 && seconds <= NO_LIMIT_SECONDS, "--seconds is 0..3600, not " + seconds);
        List<Integer> counts = clients.isEmpty() ? (paper ? PAPER_CLIENTS : usualClients()) : clients;
        counts.forEach(count -> Options.check(count >= 1 && count <= 4_096, "--clients is 1..4096, not " + count));
        List<String> failures = new ArrayList<>();
        LocalCluster nowhere = new LocalCluster(new ClusterDirectory(Path.of("lambdafs-none")), console);
        LocalCluster.StartOptions common = emulation(emulate).under(LocalCluster.StartOptions.none());
        ClusterSettings usual = nowhere.settings(common);
        List<Setup> setups = setups(usual);
        List<GridOp> asked = ops();
        GridReport empty = empty().at(usual.distance());
        int cells = setups.size() * asked.size() * counts.size();
        GridRuns runs = new GridRuns(
                console,
                common,
                asked,
                counts,
                paper ? PAPER_OPERATIONS : operations,
                paper ? NO_LIMIT_SECONDS : seconds,
                failures,
                rows -> empty.of(rows, cells).write(report));
        GridReport all = empty.of(runs.run(setups), cells);
        Path page = all.write(report);
        return new BenchResult(all.json(), all.text() + "report: " + page + "\n", failures);
    }

    private List<GridOp> ops() {
        if (ops.isEmpty()) {
            return List.of(usualOps());
        }
        List<GridOp> chosen = new ArrayList<>();
        for (String label : ops) {
            GridOp.of(label)
                    .ifPresentOrElse(
                            chosen::add,
                            () -> Options.check(
                                    false,
                                    "--ops: there is no \"" + label + "\"; there are "
                                            + Arrays.stream(GridOp.values())
                                                    .map(GridOp::label)
                                                    .collect(Collectors.joining(", "))));
        }
        return List.copyOf(chosen);
    }
}
