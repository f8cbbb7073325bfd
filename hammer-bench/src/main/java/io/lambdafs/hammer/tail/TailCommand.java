package io.lambdafs.hammer.tail;

import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.measure.BenchResult;
import io.lambdafs.hammer.measure.ReportedCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code lambdafs bench tail}: the paper's appendices B and C. */
@Command(
        name = "tail",
        description = {
            "Measure straggler mitigation, or anti-thrashing mode: the same load without and with it, in " + "turns.",
            "Starts a cluster for the time: for stragglers one deployment of two instances, of which one "
                    + "after the other is stopped",
            "(SIGSTOP) for a short time; for thrashing four deployments with memory for two instances. Fails "
                    + "if an operation fails."
        })
public final class TailCommand extends ReportedCommand {
    private static final int STRAGGLERS_OPS = 1_000;

    @Option(
            names = "--what",
            paramLabel = "MEASURE",
            description = "Feature to switch off and on: ${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE}).")
    private Measure measure = Measure.STRAGGLERS;

    @Option(names = "--rounds", paramLabel = "N", description = "Turns without and with it (default ${DEFAULT-VALUE}).")
    private int rounds = 5;

    @Option(names = "--seconds", paramLabel = "S", description = "Length of a turn (default ${DEFAULT-VALUE}).")
    private int seconds = 15;

    @Option(
            names = "--window",
            paramLabel = "N",
            description = "Maximum operations in flight (default ${DEFAULT-VALUE}).")
    private int window = 32;

    @Option(
            names = "--ops",
            paramLabel = "N",
            description = "Operations per second; 0 for no limit (default 1000 for stragglers, else 0).")
    private @Nullable Integer ops;

    @Option(
            names = "--every",
            paramLabel = "MS",
            description = "Milliseconds from one stop to the next (default ${DEFAULT-VALUE}).")
    private int everyMillis = 1_000;

    @Option(names = "--stop", paramLabel = "MS", description = "Length of a stop (default ${DEFAULT-VALUE}).")
    private int stopMillis = 300;

    @Option(names = "--seed", paramLabel = "N", description = "Random seed (default ${DEFAULT-VALUE}).")
    private long seed = 1;

    public TailCommand(Console console) {
        super(console);
    }

    @Override
    protected BenchResult measure() throws InterruptedException {
        TailSettings settings =
                new TailSettings(measure, rounds, seconds, window, opsPerSecond(), everyMillis, stopMillis, seed);
        TailResult result = measure(settings);
        return new BenchResult(result.json(), result.text(), result.failures());
    }

    private int opsPerSecond() {
        Integer asked = ops;
        return asked != null ? asked : measure == Measure.STRAGGLERS ? STRAGGLERS_OPS : 0;
    }

    private TailResult measure(TailSettings settings) throws InterruptedException {
        try (TailCluster cluster = new TailCluster(settings, console)) {
            cluster.prepare();
            return new TailResult(settings, inTurns(settings, cluster::turn, console));
        }
    }

    /** Takes a turn. */
    @FunctionalInterface
    interface Taker {
        Turn take(boolean on, long seed) throws InterruptedException;
    }

    /**
     * Takes each turn without and with the measure, alternating which comes first; both turns of a round have the same
     * seed.
     */
    static List<Turn> inTurns(TailSettings settings, Taker taker, Console console) throws InterruptedException {
        List<Turn> turns = new ArrayList<>();
        for (int round = 0; round < settings.rounds(); round++) {
            boolean first = round % 2 == 1;
            turns.add(taker.take(first, settings.seed() + round));
            turns.add(taker.take(!first, settings.seed() + round));
            console.progress(String.format(Locale.ROOT, "round %d of %d", round + 1, settings.rounds()));
        }
        console.endProgress();
        return turns;
    }
}
