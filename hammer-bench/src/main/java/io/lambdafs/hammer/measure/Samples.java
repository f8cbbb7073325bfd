package io.lambdafs.hammer.measure;

import java.util.ArrayList;
import java.util.List;

/** One number per round. Confined to one thread. */
public final class Samples {
    private final List<Double> values = new ArrayList<>();

    public void add(double value) {
        values.add(value);
    }

    /** Returns, round by round, these samples as multiples of another's. */
    public Samples relativeTo(Samples other) {
        Samples ratios = new Samples();
        for (int i = 0; i < values.size(); i++) {
            ratios.add(values.get(i) / Math.max(1e-9, other.values.get(i)));
        }
        return ratios;
    }

    public Spread spread() {
        return Spread.of(values);
    }
}
