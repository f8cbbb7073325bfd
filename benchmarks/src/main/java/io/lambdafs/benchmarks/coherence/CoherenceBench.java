package io.lambdafs.benchmarks.coherence;

import io.lambdafs.cluster.options.Options;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.measure.Samples;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Measures both sides in turns; rounds start with either side alternately. Confined to one thread. */
final class CoherenceBench {
    private static final int WARM_UP_FACTOR = 4;

    private final Settings settings;
    private final Console console;

    /**
     * The parameters of the bench.
     *
     * @param rounds turns of each side, 1–1,000
     * @param warmUp uncounted turns of each side before, with concurrent writes and {@value #WARM_UP_FACTOR} times as
     *     many, 0–1,000
     * @param writes writes of each kind in a turn, 1–100,000
     * @param atOnce writes in flight in the concurrent lanes, 2–64
     * @param instances instances of each cluster, 2–64
     */
    record Settings(int rounds, int warmUp, int writes, int atOnce, int instances) {
        Settings {
            Options.check(rounds >= 1 && rounds <= 1_000, "--rounds is 1..1000, not " + rounds);
            Options.check(warmUp >= 0 && warmUp <= 1_000, "--warm-up is 0..1000, not " + warmUp);
            Options.check(writes >= 1 && writes <= 100_000, "--writes is 1..100000, not " + writes);
            Options.check(atOnce >= 2 && atOnce <= 64, "--together is 2..64, not " + atOnce);
            Options.check(instances >= 2 && instances <= 64, "--instances is 2..64, not " + instances);
        }

        /** Returns the numbers of writes in flight to measure. */
        List<Integer> widths() {
            return List.of(1, atOnce);
        }
    }

    /** A column of the result. */
    record Lane(WriteKind kind, int atOnce, Side side) {}

    /** The turns of each lane, round by round. */
    record Result(Map<Lane, List<Testbed.Turn>> turns) {
        Samples of(Lane lane, ToDoubleFunction<Testbed.Turn> value) {
            Samples samples = new Samples();
            turns.getOrDefault(lane, List.of()).forEach(turn -> samples.add(value.applyAsDouble(turn)));
            return samples;
        }

        /** Returns the ratio of the side with coherence to the side without, round by round. */
        Samples ratio(WriteKind kind, int atOnce, ToDoubleFunction<Testbed.Turn> value) {
            return of(new Lane(kind, atOnce, Side.COHERENT), value)
                    .relativeTo(of(new Lane(kind, atOnce, Side.OFF), value));
        }
    }

    CoherenceBench(Settings settings, Console console) {
        this.settings = settings;
        this.console = console;
    }

    Result run() throws InterruptedException {
        List<Testbed> beds = new ArrayList<>();
        try {
            for (Side side : Side.values()) {
                Testbed testbed = new Testbed(side, settings.instances(), console);
                beds.add(testbed);
                testbed.prepare();
            }
            Map<Lane, List<Testbed.Turn>> turns = new LinkedHashMap<>();
            for (int turn = 0; turn < settings.warmUp(); turn++) {
                for (Testbed testbed : beds) {
                    testbed.turn(settings.atOnce(), WARM_UP_FACTOR * settings.writes());
                }
                console.progress(String.format(Locale.ROOT, "warmed up %d of %d times", turn + 1, settings.warmUp()));
            }
            for (int round = 0; round < settings.rounds(); round++) {
                round(beds, round, turns);
            }
            return new Result(turns);
        } finally {
            beds.forEach(Testbed::close);
        }
    }

    private void round(List<Testbed> beds, int round, Map<Lane, List<Testbed.Turn>> turns) throws InterruptedException {
        for (int atOnce : settings.widths()) {
            for (int turn = 0; turn < beds.size(); turn++) {
                Testbed testbed = beds.get((round + turn) % beds.size());
                Map<WriteKind, Testbed.Turn> measured = testbed.turn(atOnce, settings.writes());
                measured.forEach((kind, each) -> turns.computeIfAbsent(
                                new Lane(kind, atOnce, testbed.side()), first -> new ArrayList<>())
                        .add(each));
            }
        }
        console.progress(String.format(Locale.ROOT, "round %d of %d", round + 1, settings.rounds()));
    }
}
