package io.lambdafs.cli.inv;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** One number per round. Confined to one thread. */
final class Samples {
    private final List<Double> values = new ArrayList<>();

    void add(double value) {
        values.add(value);
    }

    /** Round by round, how many times another's these are. */
    Samples relativeTo(Samples other) {
        Samples ratios = new Samples();
        for (int i = 0; i < values.size(); i++) {
            ratios.add(values.get(i) / Math.max(1e-9, other.values.get(i)));
        }
        return ratios;
    }

    /** Their middle and the least and the greatest of them. */
    Spread spread() {
        List<Double> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        int middle = sorted.size() / 2;
        double median = sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
        return new Spread(sorted.get(0), median, sorted.get(sorted.size() - 1));
    }

    /** Of one number per round. */
    record Spread(double least, double median, double greatest) {}
}
