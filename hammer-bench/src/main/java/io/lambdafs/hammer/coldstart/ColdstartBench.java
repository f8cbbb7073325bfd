package io.lambdafs.hammer.coldstart;

import io.lambdafs.cluster.options.Options;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.measure.Spread;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** Measures the starts of each kind, taking turns between the JDKs and the settings. Confined to one thread. */
final class ColdstartBench {
    /** Uncounted starts of each cluster: they warm up the gateway, the store and the caller. */
    private static final int WARM_UP = 10;

    private final Settings settings;
    private final Console console;
    private final Bed.Factory factory;

    /**
     * The clusters to measure, and the number of starts.
     *
     * @param setups at least one; at most 8
     * @param kinds what the calls find
     * @param rounds starts of each kind by each cluster, 1–1,000
     */
    record Settings(List<Setup> setups, List<Kind> kinds, int rounds) {
        Settings {
            setups = List.copyOf(setups);
            kinds = List.copyOf(kinds);
            Options.check(
                    !setups.isEmpty() && setups.size() <= 8,
                    "--jdk and --conf make 1..8 clusters together, not " + setups.size());
            Options.check(rounds >= 1 && rounds <= 1_000, "--rounds is 1..1000, not " + rounds);
        }
    }

    /** The counted starts. */
    record Result(Map<Kind, Map<Setup, List<Start>>> starts) {
        /** Returns the times of a step, milliseconds. */
        Spread spread(Kind kind, Setup setup, Step step) {
            List<Start> all = starts.getOrDefault(kind, Map.of()).getOrDefault(setup, List.of());
            return Spread.of(all.stream().map(start -> start.millis(step)).toList());
        }

        /** Returns a figure of the operations after the starts, by the number of their span; empty if not measured. */
        Optional<Spread> after(Kind kind, Setup setup, int span, ToDoubleFunction<Warmth.Span> figure) {
            List<Double> all = starts.getOrDefault(kind, Map.of()).getOrDefault(setup, List.of()).stream()
                    .filter(start -> start.warmth().spans().size() > span)
                    .map(start -> figure.applyAsDouble(start.warmth().spans().get(span)))
                    .toList();
            return all.isEmpty() ? Optional.empty() : Optional.of(Spread.of(all));
        }
    }

    ColdstartBench(Settings settings, Console console, Bed.Factory factory) {
        this.settings = settings;
        this.console = console;
        this.factory = factory;
    }

    Result run() throws InterruptedException {
        Map<Kind, Map<Setup, List<Start>>> starts = new EnumMap<>(Kind.class);
        for (Kind kind : settings.kinds()) {
            starts.put(kind, measure(kind));
        }
        return new Result(starts);
    }

    private Map<Setup, List<Start>> measure(Kind kind) throws InterruptedException {
        Map<Setup, List<Start>> starts = new LinkedHashMap<>();
        List<Bed> beds = new ArrayList<>();
        try {
            for (Setup setup : settings.setups()) {
                Bed testbed = factory.open(setup, kind, console);
                beds.add(testbed);
                testbed.warmUp();
                starts.put(setup, new ArrayList<>());
            }
            for (int round = -WARM_UP; round < settings.rounds(); round++) {
                for (int turn = 0; turn < beds.size(); turn++) {
                    Bed testbed = beds.get(Math.floorMod(round + turn, beds.size()));
                    boolean counts = round >= 0;
                    Start start = testbed.start(counts);
                    if (counts) {
                        starts.getOrDefault(testbed.setup(), new ArrayList<>()).add(start);
                    }
                }
                console.progress(String.format(
                        Locale.ROOT, "%s: round %d of %d", kind.label(), Math.max(0, round + 1), settings.rounds()));
            }
            return starts;
        } finally {
            beds.forEach(Bed::close);
        }
    }
}
