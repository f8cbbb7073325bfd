package io.lambdafs.hammer.measure;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import org.apache.commons.math3.distribution.TDistribution;

/**
 * The summary of a sample. Immutable.
 *
 * @param p90 its 90th percentile: the smallest value that 90 % do not exceed
 * @param low lower end of the mean's 95 % confidence interval (Student's t); the mean for a sample of one
 * @param high its upper end
 */
public record Spread(double median, double p90, double min, double max, double mean, double low, double high) {
    private static final double TWO_SIDED_95 = 0.975;

    /** @param sample at least one value */
    public static Spread of(Collection<Double> sample) {
        double[] values =
                sample.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        if (values.length == 0) {
            throw new IllegalArgumentException("an empty sample");
        }
        int n = values.length;
        double median = n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
        double mean = Arrays.stream(values).sum() / n;
        double margin = 0;
        if (n > 1) {
            double squares =
                    Arrays.stream(values).map(x -> (x - mean) * (x - mean)).sum();
            double t = new TDistribution(n - 1).inverseCumulativeProbability(TWO_SIDED_95);
            margin = t * Math.sqrt(squares / (n - 1) / n);
        }
        double p90 = values[(int) Math.ceil(0.9 * n) - 1];
        return new Spread(median, p90, values[0], values[n - 1], mean, mean - margin, mean + margin);
    }

    /** Writes the minimum, the median and the maximum, with three decimals. */
    public void writeTo(ObjectNode node) {
        node.put("least", rounded(min)).put("median", rounded(median)).put("greatest", rounded(max));
    }

    /**
     * Returns the median, then the minimum and the maximum in brackets.
     *
     * @param digits after the decimal point
     */
    public String text(int digits) {
        String each = "%,." + digits + "f";
        return String.format(Locale.ROOT, each + " (" + each + " to " + each + ")", median, min, max);
    }

    private static double rounded(double value) {
        return Math.round(value * 1_000) / 1_000.0;
    }
}
