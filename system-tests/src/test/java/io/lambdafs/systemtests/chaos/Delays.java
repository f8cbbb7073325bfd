package io.lambdafs.systemtests.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** How long writes took. Confined to one thread. */
final class Delays {
    private final List<Delay> all = new ArrayList<>();

    /**
     * One write, milliseconds.
     *
     * @param client from its call to its answer
     * @param round in which its leader waited for acknowledgements, or for a fence in place of one
     */
    record Delay(double client, double round) {}

    void add(Delay delay) {
        all.add(delay);
    }

    List<Double> rounds() {
        return all.stream().map(Delay::round).toList();
    }

    String row(Object write, String when) {
        return String.format(
                Locale.ROOT,
                "| %s, %s | %d | %.1f | %.1f | %.1f | %.1f | %.1f |",
                write.toString().toLowerCase(Locale.ROOT).replace('_', ' '),
                when,
                all.size(),
                at(0.5, Delay::client),
                at(0.95, Delay::client),
                at(1, Delay::client),
                at(0.5, Delay::round),
                at(1, Delay::round));
    }

    private double at(double share, ToDoubleFunction<Delay> value) {
        double[] sorted = all.stream().mapToDouble(value).sorted().toArray();
        return sorted[(int) Math.ceil(share * sorted.length) - 1];
    }
}
