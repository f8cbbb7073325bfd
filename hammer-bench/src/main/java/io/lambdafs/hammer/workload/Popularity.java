package io.lambdafs.hammer.workload;

import io.lambdafs.hammer.tree.Limits;
import java.util.Locale;

/**
 * The spread of a load over directories. Immutable.
 *
 * @param zipfExponent skew, 0–4
 * @param hot share of the operations that the most popular directory gets, 0–0.9; 0 if the exponent decides
 */
public record Popularity(double zipfExponent, double hot) {
    public Popularity {
        Limits.check("workload: Zipf exponent", zipfExponent, 0, 4);
        Limits.check("workload: share of the hot directory", hot, 0, 0.9);
    }

    /** Describes it for reports. */
    public String describe() {
        String zipf = String.format(Locale.ROOT, "directories popular as Zipf, exponent %.2f", zipfExponent);
        return hot == 0 ? zipf : zipf + String.format(Locale.ROOT, "; %.0f %% of operations in one", hot * 100);
    }
}
