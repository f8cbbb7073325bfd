package io.lambdafs.platform;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A page of metrics in Prometheus' text format: those of a function instance, or sums of such pages. It holds at most
 * {@value #MAX_SAMPLES} samples and omits any beyond. Immutable.
 */
public final class MetricsPage {
    /** A page without samples. */
    public static final MetricsPage EMPTY = new MetricsPage(Map.of());

    /** The milliseconds in which an instance served an HTTP or TCP request, as it counts them itself (the paper's §5.2.5). */
    public static final String BILLED = "lambdafs_billed_milliseconds_total";

    /** The metric of an instance's CPU use as a multiple of its share. */
    public static final String OF_CPU_SHARE = "lambdafs_cpu_of_share";

    /** The metric of an instance's CPU time per operation as a multiple of the steady one. */
    public static final String OF_STEADY_COST = "lambdafs_cost_of_steady";

    static final int MAX_SAMPLES = 20_000;
    private static final String HELP = "# HELP ";
    private static final String TYPE = "# TYPE ";

    private final Map<String, Family> families;

    /** The samples of one metric, by name with labels as written. */
    private record Family(String help, String type, Map<String, Double> samples) {
        boolean cumulative() {
            return type.equals("counter") || type.equals("histogram") || type.equals("summary");
        }
    }

    private MetricsPage(Map<String, Family> families) {
        this.families = families;
    }

    /** Returns a page of counters without labels. */
    public static MetricsPage ofCounters(Map<String, Long> values) {
        return of("counter", values);
    }

    /** Returns a page of gauges without labels. */
    public static MetricsPage ofGauges(Map<String, Double> values) {
        return of("gauge", values);
    }

    private static MetricsPage of(String type, Map<String, ? extends Number> values) {
        Builder builder = new Builder();
        new TreeMap<String, Number>(values)
                .forEach((name, value) -> builder.add(builder.family(name, "", type), name, value.doubleValue()));
        return builder.build();
    }

    /** Reads a page, skipping lines that are no samples or belong to a metric without a type. */
    public static MetricsPage parse(String text) {
        Builder builder = new Builder();
        String help = "";
        Family open = null;
        for (String line : (Iterable<String>) text.lines()::iterator) {
            if (line.startsWith(HELP)) {
                help = line.substring(HELP.length());
            } else if (line.startsWith(TYPE)) {
                String[] words = line.substring(TYPE.length()).split(" ", 2);
                String described = help.startsWith(words[0] + " ") ? help.substring(words[0].length() + 1) : "";
                open = builder.family(words[0], described, words.length < 2 ? "untyped" : words[1].strip());
            } else if (open != null && !line.startsWith("#")) {
                sample(builder, open, line);
            }
        }
        return builder.build();
    }

    /** Parses {@code name{labels} value [timestamp]}. */
    private static void sample(Builder builder, Family family, String line) {
        int end = line.indexOf(' ', Math.max(0, line.lastIndexOf('}')));
        if (end > 0) {
            String[] rest = line.substring(end).strip().split(" ", 2);
            try {
                builder.add(family, line.substring(0, end), Double.parseDouble(rest[0]));
            } catch (NumberFormatException noSample) {
                // Skipped.
            }
        }
    }

    /** Returns the sums of this page's samples and another's. */
    public MetricsPage plus(MetricsPage other) {
        return sum(List.of(this, other));
    }

    /** Returns the sums of the pages' samples. */
    public static MetricsPage sum(List<MetricsPage> pages) {
        Builder builder = new Builder();
        pages.forEach(builder::addAll);
        return builder.build();
    }

    /**
     * Returns the page without gauges: its counters and distributions, which keep their meaning after their instance
     * has ended.
     */
    public MetricsPage cumulative() {
        Map<String, Family> kept = new TreeMap<>(families);
        kept.values().removeIf(family -> !family.cumulative());
        return new MetricsPage(kept);
    }

    public boolean isEmpty() {
        return families.isEmpty();
    }

    public boolean has(String name) {
        return !matching(name, null).isEmpty();
    }

    /** Returns the sum over a metric's labels; 0 without samples. */
    public double sum(String name) {
        return total(matching(name, null));
    }

    /** Returns the sum over a metric's samples with a label; 0 without any. */
    public double sum(String name, String label, String value) {
        return total(matching(name, label + "=\"" + value + '"'));
    }

    private static double total(Map<String, Double> samples) {
        return samples.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    private Map<String, Double> matching(String name, @Nullable String label) {
        Map<String, Double> found = new LinkedHashMap<>();
        families.forEach((family, known) -> {
            if (name.startsWith(family)) {
                known.samples().forEach((sample, value) -> {
                    int labels = sample.indexOf('{');
                    if (name.equals(labels < 0 ? sample : sample.substring(0, labels))
                            && (label == null || sample.contains('{' + label) || sample.contains(',' + label))) {
                        found.put(sample, value);
                    }
                });
            }
        });
        return found;
    }

    /** Receives the samples of a page. */
    @FunctionalInterface
    public interface Reader {
        /**
         * Receives one sample.
         *
         * @param name without labels
         * @param labels labels as written, with braces; empty if none
         */
        void sample(String name, String labels, double value);
    }

    /** Passes every sample to the reader. */
    public void each(Reader reader) {
        families.values()
                .forEach(family -> family.samples().forEach((sample, value) -> {
                    int labels = sample.indexOf('{');
                    reader.sample(
                            labels < 0 ? sample : sample.substring(0, labels),
                            labels < 0 ? "" : sample.substring(labels),
                            value);
                }));
    }

    /** Returns the value of a label among {@linkplain Reader#sample labels as written}; empty if absent. */
    public static String label(String labels, String name) {
        String wanted = name + "=\"";
        for (int at = labels.indexOf(wanted); at >= 0; at = labels.indexOf(wanted, at + 1)) {
            if (at > 0 && (labels.charAt(at - 1) == '{' || labels.charAt(at - 1) == ',')) {
                int from = at + wanted.length();
                int to = labels.indexOf('"', from);
                return to < 0 ? "" : labels.substring(from, to);
            }
        }
        return "";
    }

    /** Returns the page in Prometheus' format. */
    public String text() {
        StringBuilder out = new StringBuilder();
        families.forEach((name, family) -> {
            if (!family.help().isEmpty()) {
                out.append(HELP).append(name).append(' ').append(family.help()).append('\n');
            }
            out.append(TYPE).append(name).append(' ').append(family.type()).append('\n');
            family.samples()
                    .forEach((sample, value) ->
                            out.append(sample).append(' ').append(value).append('\n'));
        });
        return out.toString();
    }

    /** Collects samples up to the limit. */
    private static final class Builder {
        private final Map<String, Family> families = new TreeMap<>();
        private int samples;

        Family family(String name, String help, String type) {
            return families.computeIfAbsent(name, absent -> new Family(help, type, new LinkedHashMap<>()));
        }

        void add(Family family, String sample, double value) {
            Double before = family.samples().get(sample);
            if (before != null) {
                family.samples().put(sample, before + value);
            } else if (samples < MAX_SAMPLES) {
                family.samples().put(sample, value);
                samples++;
            }
        }

        void addAll(MetricsPage page) {
            page.families.forEach((name, family) -> {
                Family mine = family(name, family.help(), family.type());
                family.samples().forEach((sample, value) -> add(mine, sample, value));
            });
        }

        MetricsPage build() {
            return new MetricsPage(Collections.unmodifiableMap(families));
        }
    }
}
