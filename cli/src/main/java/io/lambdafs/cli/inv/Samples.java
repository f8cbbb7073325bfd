package io.lambdafs.cli.inv;

import io.lambdafs.cli.Spread;
import java.util.ArrayList;
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

    Spread spread() {
        return Spread.of(values);
    }
}
