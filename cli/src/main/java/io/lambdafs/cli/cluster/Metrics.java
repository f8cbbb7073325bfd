package io.lambdafs.cli.cluster;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Samples of a page in Prometheus' text format, summed over labels. Immutable.
 *
 * @param sums by name, and by name and each of its labels as in {@code requests_total{deployment="0"}}
 */
public record Metrics(Map<String, Double> sums) {
    public Metrics {
        sums = Map.copyOf(sums);
    }

    /** Reads a page; lines that are no samples are passed over. */
    public static Metrics parse(String page) {
        Map<String, Double> sums = new HashMap<>();
        page.lines().filter(line -> !line.isBlank() && !line.startsWith("#")).forEach(line -> {
            int labels = line.indexOf('{');
            int space = line.indexOf(' ', Math.max(0, line.lastIndexOf('}')));
            int end = labels >= 0 ? labels : space;
            if (space > 0 && end > 0) {
                try {
                    double value = Double.parseDouble(line.substring(space + 1).strip());
                    String name = line.substring(0, end);
                    sums.merge(name, value, Double::sum);
                    for (String label : labels(line, labels)) {
                        sums.merge(name + '{' + label + '}', value, Double::sum);
                    }
                } catch (NumberFormatException noSample) {
                    // A time stamp follows the value, or it is no sample: this project's pages have neither.
                }
            }
        });
        return new Metrics(sums);
    }

    /** The labels of a sample; this project's values hold no comma. */
    private static List<String> labels(String line, int open) {
        return open < 0
                ? List.of()
                : List.of(line.substring(open + 1, line.lastIndexOf('}')).split(","));
    }

    /** The sum over a metric's labels; 0 where the page has none. */
    public double sum(String name) {
        return sums.getOrDefault(name, 0.0);
    }

    /** The sum over the samples of a metric that have a label; 0 where the page has none. */
    public double sum(String name, String label, String value) {
        return sum(name + '{' + label + "=\"" + value + "\"}");
    }
}
