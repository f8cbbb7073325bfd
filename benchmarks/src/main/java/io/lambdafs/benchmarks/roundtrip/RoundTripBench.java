package io.lambdafs.benchmarks.roundtrip;

import io.lambdafs.cluster.JavaCommand;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.options.Options;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.measure.MeasuringProcess;
import java.util.ArrayList;
import java.util.List;

/** Starts the measuring process and reads its results. Confined to one thread. */
final class RoundTripBench {
    private static final int HEAP_MB = 256;

    private final Settings settings;
    private final LocalCluster cluster;
    private final Console console;

    /**
     * The parameters of the bench.
     *
     * @param rounds turns of each kind of call, 1–1,000
     * @param seconds length of a turn, 0.1–600
     */
    record Settings(int rounds, double seconds) {
        Settings {
            Options.check(rounds >= 1 && rounds <= 1_000, "--rounds is 1..1000, not " + rounds);
            Options.check(seconds >= 0.1 && seconds <= 600, "--seconds is 0.1..600, not " + seconds);
        }
    }

    /** The result of a turn; times of a call in nanoseconds. */
    record Turn(long median, long p99, long calls) {}

    /** @param stats turns of stats, as many as of the bare exchange */
    record Result(List<Turn> stats, List<Turn> bare) {
        /** Returns the ratios of the medians, round by round. */
        List<Double> ratios() {
            List<Double> ratios = new ArrayList<>();
            for (int i = 0; i < stats.size(); i++) {
                ratios.add((double) stats.get(i).median() / bare.get(i).median());
            }
            return ratios;
        }
    }

    RoundTripBench(Settings settings, LocalCluster cluster, Console console) {
        this.settings = settings;
        this.cluster = cluster;
        this.console = console;
    }

    Result run() throws InterruptedException {
        MeasuringProcess caller =
                new MeasuringProcess("measuring", cluster.directory().logs().resolve("caller.log"));
        List<Turn> stats = new ArrayList<>();
        List<Turn> bare = new ArrayList<>();
        caller.run(command(), line -> {
            String[] parts = line.split(" ", -1);
            Turn turn = new Turn(Long.parseLong(parts[1]), Long.parseLong(parts[2]), Long.parseLong(parts[3]));
            (parts[0].equals("stat") ? stats : bare).add(turn);
            console.progress(line);
        });
        if (stats.size() != settings.rounds()) {
            throw caller.failure("has ended with exit code 0 after " + stats.size() + " rounds");
        }
        return new Result(stats, bare);
    }

    private List<String> command() {
        List<String> command = java(CallerMain.class);
        command.addAll(List.of(
                cluster.directory().client().toString(),
                Integer.toString(settings.rounds()),
                Long.toString(Math.round(settings.seconds() * 1_000))));
        command.addAll(java(EchoMain.class));
        return command;
    }

    private static List<String> java(Class<?> main) {
        return JavaCommand.measuring(main, HEAP_MB, JavaCommand.classPath());
    }
}
