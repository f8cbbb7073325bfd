package io.lambdafs.benchmarks.inv;

import io.lambdafs.cluster.options.Options;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.measure.Samples;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Measures all combinations in turns; each round starts with another one. Confined to one thread. */
final class InvBench {
    static final int DEPLOYMENTS = 2;

    private static final double MICROS = 1e3;

    private final Settings settings;
    private final Console console;

    /**
     * The parameters of the bench.
     *
     * @param rounds turns of each combination, 1–1,000
     * @param writes writes of each kind in a turn, 1–100,000
     */
    record Settings(int rounds, int writes) {
        Settings {
            Options.check(rounds >= 1 && rounds <= 1_000, "--rounds is 1..1000, not " + rounds);
            Options.check(writes >= 1 && writes <= 100_000, "--writes is 1..100000, not " + writes);
        }
    }

    /** A kind of write. */
    enum Kind {
        /** Sequential writes that invalidate nothing at another instance. */
        LOCAL,
        /** Sequential writes that invalidate at one other instance. */
        REMOTE,
        /** The same with {@value Testbed#TOGETHER} in flight. */
        TOGETHER
    }

    /** Microseconds per write, round by round. */
    record Result(Map<Combination, Map<Kind, Samples>> micros) {
        Samples of(Combination combination, Kind kind) {
            Samples samples = micros.getOrDefault(combination, Map.of()).get(kind);
            if (samples == null) {
                throw new IllegalStateException("no samples of " + combination + ", " + kind);
            }
            return samples;
        }

        /** Returns the ratio to the first combination, round by round. */
        Samples ratio(Combination combination, Kind kind) {
            return of(combination, kind).relativeTo(of(Combination.ZOOKEEPER_DIRECT, kind));
        }
    }

    InvBench(Settings settings, Console console) {
        this.settings = settings;
        this.console = console;
    }

    Result run() throws InterruptedException {
        List<Testbed> beds = new ArrayList<>();
        try {
            for (Combination combination : Combination.values()) {
                Testbed testbed = new Testbed(combination, console);
                beds.add(testbed);
                testbed.prepare();
                for (Kind kind : Kind.values()) {
                    write(testbed, kind, 2 * settings.writes());
                }
            }
            return measure(beds);
        } finally {
            beds.forEach(Testbed::close);
        }
    }

    private Result measure(List<Testbed> beds) throws InterruptedException {
        Map<Combination, Map<Kind, Samples>> micros = new EnumMap<>(Combination.class);
        for (int round = 0; round < settings.rounds(); round++) {
            for (int turn = 0; turn < beds.size(); turn++) {
                Testbed testbed = beds.get((round + turn) % beds.size());
                for (Kind kind : Kind.values()) {
                    double each = write(testbed, kind, settings.writes());
                    micros.computeIfAbsent(testbed.combination(), first -> new EnumMap<>(Kind.class))
                            .computeIfAbsent(kind, first -> new Samples())
                            .add(each);
                }
            }
            console.progress(String.format(Locale.ROOT, "round %d of %d", round + 1, settings.rounds()));
        }
        return new Result(micros);
    }

    private static double write(Testbed testbed, Kind kind, int writes) throws InterruptedException {
        double nanos = switch (kind) {
            case LOCAL -> testbed.local(writes);
            case REMOTE -> testbed.remote(writes);
            case TOGETHER -> testbed.remoteTogether(writes);
        };
        return nanos / MICROS;
    }
}
