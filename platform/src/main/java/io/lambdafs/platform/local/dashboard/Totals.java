package io.lambdafs.platform.local.dashboard;

import io.lambdafs.model.operation.OperationKind;
import io.lambdafs.platform.MetricsPage;
import io.lambdafs.platform.local.pool.UsageView;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The counters and the state of a cluster at a moment. Counters only grow, so two of these give the work between them.
 * Immutable by convention: arrays are not copied.
 *
 * @param seconds since the gateway's start
 * @param counts counts of each deployment, by its index among the names
 * @param reads cumulative counts of reads by upper bounds of their time
 * @param writes the same for writes
 * @param instances the most instances of each deployment since the point before
 * @param queued calls waiting for an instance
 * @param usd pay-per-use cost so far
 * @param provisionedUsd cost so far of the time in which instances existed
 */
@SuppressWarnings("ArrayRecordComponent") // Arrays are passed on, never compared.
record Totals(
        double seconds,
        Map<Count, double[]> counts,
        double[] reads,
        double[] writes,
        int[] instances,
        int queued,
        double usd,
        double provisionedUsd) {
    /** Bounds of times double from 4 µs on. */
    static final int BOUNDS = 25;

    private static final double FIRST_BOUND_SECONDS = 4e-6;
    /** Rounds longer than 131 ms count as delayed by an instance. */
    private static final int LONG_ROUND = 15;

    private static final String SUFFIX = "_bucket";
    private static final Set<String> READS = Arrays.stream(OperationKind.values())
            .filter(kind -> !kind.isWrite())
            .map(kind -> kind.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.toSet());
    private static final Map<String, List<Count>> BY_METRIC =
            Arrays.stream(Count.values()).collect(Collectors.groupingBy(each -> each.metric));

    /** The values per deployment; the last three are states, the others counters. */
    enum Count {
        OPERATIONS("lambdafs_operation_seconds_count", "", ""),
        HITS("lambdafs_cache_hits_total", "role", "entry"),
        MISSES("lambdafs_cache_misses_total", "role", "entry"),
        LISTING_HITS("lambdafs_cache_hits_total", "role", "listing"),
        LISTING_MISSES("lambdafs_cache_misses_total", "role", "listing"),
        LINK_HITS("lambdafs_cache_hits_total", "role", "link"),
        LINK_MISSES("lambdafs_cache_misses_total", "role", "link"),
        EVICTIONS("lambdafs_cache_evictions_total", "", ""),
        INVALIDATED("lambdafs_cache_invalidated_paths_total", "", ""),
        REFUSALS("lambdafs_failures_total", "kind", "refusal"),
        PASSING("lambdafs_failures_total", "kind", "passing"),
        FAULTS("lambdafs_failures_total", "kind", "fault"),
        OVERLOADED("lambdafs_overloaded_total", "", ""),
        HTTP("lambdafs_requests_total", "transport", "http"),
        TCP("lambdafs_requests_total", "transport", "tcp"),
        FENCED("lambdafs_fenced_total", "", ""),
        ROUNDS("lambdafs_invalidation_round_seconds_count", "", ""),
        LONG_ROUNDS("", "", ""),
        CACHE_BYTES("lambdafs_cache_bytes", "", ""),
        INODES("lambdafs_cache_inodes", "", ""),
        LISTINGS("lambdafs_cache_listings", "", "");

        private final String metric;
        private final String label;
        private final String value;

        Count(String metric, String label, String value) {
            this.metric = metric;
            this.label = label;
            this.value = value;
        }

        private boolean isOf(String labels) {
            return label.isEmpty() || MetricsPage.label(labels, label).equals(value);
        }

        boolean isState() {
            return compareTo(CACHE_BYTES) >= 0;
        }
    }

    /**
     * Reads the totals.
     *
     * @param page the summed metrics of instances
     * @param names deployments, in the order of the counts
     */
    static Totals of(double seconds, MetricsPage page, UsageView usage, double[] usd, List<String> names) {
        Map<Count, double[]> counts = new EnumMap<>(Count.class);
        for (Count each : Count.values()) {
            counts.put(each, new double[names.size()]);
        }
        Map<String, Integer> indices = indices(names);
        double[] reads = new double[BOUNDS];
        double[] writes = new double[BOUNDS];
        page.each((name, labels, value) -> {
            int index = indices.getOrDefault(MetricsPage.label(labels, "deployment"), -1);
            if (index < 0) {
                return;
            }
            for (Count each : BY_METRIC.getOrDefault(name, List.of())) {
                if (each.isOf(labels)) {
                    add(counts, each, index, value);
                }
            }
            if (name.equals("lambdafs_operation_seconds" + SUFFIX)) {
                (READS.contains(MetricsPage.label(labels, "operation")) ? reads : writes)[bound(labels)] += value;
            } else if (name.equals("lambdafs_invalidation_round_seconds" + SUFFIX)) {
                int bound = bound(labels);
                double sign = bound == BOUNDS - 1 ? 1 : bound == LONG_ROUND ? -1 : 0;
                add(counts, Count.LONG_ROUNDS, index, sign * value);
            }
        });
        int[] instances = new int[names.size()];
        for (int i = 0; i < instances.length; i++) {
            instances[i] = usage.deployments()
                    .getOrDefault(names.get(i), UsageView.Deployment.NONE)
                    .instances();
        }
        return new Totals(
                seconds, counts, reads, writes, instances, usage.total().queued(), usd[0], usd[1]);
    }

    /**
     * Maps numbers to indices: metrics name a deployment by its number, the pool by its action, which ends with the
     * number.
     */
    private static Map<String, Integer> indices(List<String> names) {
        Map<String, Integer> indices = new TreeMap<>();
        for (int i = 0; i < names.size(); i++) {
            indices.putIfAbsent(names.get(i).replaceFirst("^.*?(\\d*)$", "$1"), i);
        }
        return indices;
    }

    private static void add(Map<Count, double[]> counts, Count which, int index, double value) {
        Objects.requireNonNull(counts.get(which))[index] += value;
    }

    private static int bound(String labels) {
        String text = MetricsPage.label(labels, "le");
        if (text.equals("+Inf")) {
            return BOUNDS - 1;
        }
        double steps = Math.log(Double.parseDouble(text) / FIRST_BOUND_SECONDS) / Math.log(2);
        return (int) Math.max(0, Math.min(BOUNDS - 1, Math.round(steps)));
    }

    /** Returns the percentile, in microseconds, of operations between two moments; 0 without any. */
    static double percentileMicros(double[] before, double[] after, double share) {
        double all = after[BOUNDS - 1] - before[BOUNDS - 1];
        if (all <= 0) {
            return 0;
        }
        double wanted = all * share;
        double below = 0;
        for (int i = 0; i < BOUNDS; i++) {
            double upTo = after[i] - before[i];
            if (upTo >= wanted && upTo > below) {
                // Interpolate between doubling bounds as if logarithms of times were spread evenly.
                double part = (wanted - below) / (upTo - below);
                return FIRST_BOUND_SECONDS * 1e6 * Math.pow(2, i - 1 + part);
            }
            below = Math.max(below, upTo);
        }
        return FIRST_BOUND_SECONDS * 1e6 * Math.pow(2, BOUNDS - 1);
    }

    /** Returns a count; 0 for a deployment not known at the time. */
    double count(Count which, int deployment) {
        double[] values = counts.get(which);
        return values == null || deployment >= values.length ? 0 : values[deployment];
    }

    double sum(Count which) {
        double sum = 0;
        for (double each : counts.getOrDefault(which, new double[0])) {
            sum += each;
        }
        return sum;
    }

    /** Returns the same moment with at least these numbers of instances since the point before. */
    Totals withAtLeast(int[] others) {
        int[] most = instances.clone();
        for (int i = 0; i < Math.min(most.length, others.length); i++) {
            most[i] = Math.max(most[i], others[i]);
        }
        return new Totals(seconds, counts, reads, writes, most, queued, usd, provisionedUsd);
    }
}
