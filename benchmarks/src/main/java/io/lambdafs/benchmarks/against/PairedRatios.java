package io.lambdafs.benchmarks.against;

import io.lambdafs.hammer.measure.Spread;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.math3.distribution.BinomialDistribution;

/**
 * The ratio of two builds, pair by pair: its median and an interval with the true median at 90 % confidence or more for
 * any distribution (order statistics, as in the sign test). Immutable.
 *
 * @param low lower end of the interval
 * @param high upper end of the interval
 */
record PairedRatios(double median, double low, double high) {
    /** The fewest pairs for such an interval. */
    static final int FEWEST = 5;

    private static final double CONFIDENCE = 0.9;

    /** @param pairs at least {@value #FEWEST} */
    static PairedRatios of(List<Double> pairs) {
        List<Double> sorted = new ArrayList<>(pairs);
        sorted.sort(null);
        int n = sorted.size();
        if (n < FEWEST) {
            throw new IllegalArgumentException(n + " pairs give no interval");
        }
        BinomialDistribution below = new BinomialDistribution(n, 0.5);
        int rank = 1;
        while (1 - 2 * below.cumulativeProbability(rank) >= CONFIDENCE) {
            rank++;
        }
        return new PairedRatios(Spread.of(sorted).median(), sorted.get(rank - 1), sorted.get(n - rank));
    }
}
