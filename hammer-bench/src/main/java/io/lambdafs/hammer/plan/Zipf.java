package io.lambdafs.hammer.plan;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/** Draws ranks with probability proportional to 1 / (rank + 1)^s. Immutable. */
public final class Zipf {
    private final double[] upTo;

    /** @param exponent 0 for equally popular ranks */
    public Zipf(int ranks, double exponent) {
        this(ranks, exponent, 0);
    }

    /** @param first share of the draws that rank 0 gets instead, below 1; 0 if the exponent decides */
    Zipf(int ranks, double exponent, double first) {
        upTo = new double[ranks];
        double sum = first == 0 ? 1 : others(ranks, exponent) * first / (1 - first);
        upTo[0] = sum;
        for (int i = 1; i < ranks; i++) {
            sum += Math.pow(i + 1, -exponent);
            upTo[i] = sum;
        }
    }

    private static double others(int ranks, double exponent) {
        double sum = 0;
        for (int i = 1; i < ranks; i++) {
            sum += Math.pow(i + 1, -exponent);
        }
        return sum;
    }

    /** Draws the next rank, from 0. */
    public int draw(RandomGenerator random) {
        double u = random.nextDouble() * upTo[upTo.length - 1];
        int at = Arrays.binarySearch(upTo, u);
        return Math.min(upTo.length - 1, at >= 0 ? at + 1 : -at - 1);
    }
}
