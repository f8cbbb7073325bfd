package io.lambdafs.hammer.load;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.hammer.result.ReplayResult;
import io.lambdafs.hammer.result.SeriesPoint;
import io.lambdafs.hammer.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The judgement on a run with one burst: the scaling that it showed, or the figures that stopped it. Immutable.
 *
 * @param before instances in the second before the burst
 * @param peak most instances from then on
 * @param after fewest instances after the burst
 * @param grown deployments that had more instances than before the burst
 * @param missed what was not shown, in words
 */
public record Verdict(int before, int peak, int after, List<Integer> grown, List<String> missed) {
    private static final double MOST_ABSORBING_SECONDS = 5;
    private static final int LEAST_GROWN = 2;
    /** Instances at the peak, as a multiple of those before. */
    private static final double LEAST_GROWTH = 2;

    /**
     * Judges a run.
     *
     * @param spares prewarmed processes that had rehearsed before the load
     * @param wanted how many there should have been
     */
    public static Verdict of(ReplayResult result, Workload workload, Capacity capacity, int spares, int wanted) {
        Absorption absorption = Absorption.of(result, workload);
        Verdict growth = growth(result, workload);
        List<String> missed = new ArrayList<>();
        if (capacity.one() < workload.baseOps()) {
            missed.add(text(
                    "one instance of each deployment carries %,.0f ops/s, less than the base load of %,.0f",
                    capacity.one(), workload.baseOps()));
        }
        if (growth.grown.size() < LEAST_GROWN || growth.peak <= growth.before * LEAST_GROWTH) {
            missed.add(text(
                    "%d deployments grew, from %d to %d instances", growth.grown.size(), growth.before, growth.peak));
        }
        if (growth.after > growth.before) {
            missed.add(text("%d instances were left, %d before the burst", growth.after, growth.before));
        }
        if (absorption.after().orElse(Double.MAX_VALUE) > MOST_ABSORBING_SECONDS) {
            missed.add(
                    absorption.after().isEmpty()
                            ? text("the burst was not absorbed")
                            : text(
                                    "the burst was absorbed only after %.0f s",
                                    absorption.after().getAsDouble()));
        }
        if (absorption.worstMillis() > Absorption.LIMIT_MILLIS) {
            missed.add(text("p99 of a second outside the burst's beginning was %.0f ms", absorption.worstMillis()));
        }
        if (result.failed() > 0) {
            missed.add(text("%,d operations failed", result.failed()));
        }
        if (!missed.isEmpty() && spares < wanted) {
            missed.add(text("%d of %d prewarmed processes had rehearsed before the load", spares, wanted));
        }
        if (!missed.isEmpty() && capacity.isBusy()) {
            missed.add(text("others used %.0f %% of the processors", capacity.othersShare() * 100));
        }
        return new Verdict(growth.before, growth.peak, growth.after, growth.grown, List.copyOf(missed));
    }

    private static Verdict growth(ReplayResult result, Workload workload) {
        List<Integer> before = List.of();
        List<Integer> most = new ArrayList<>();
        int peak = 0;
        int after = Integer.MAX_VALUE;
        boolean begun = false;
        boolean over = false;
        for (SeriesPoint point : result.series()) {
            boolean burst = workload.isBurst(point.seconds() - 0.5);
            over |= begun && !burst;
            begun |= burst;
            int all = sum(point.instancesByDeployment());
            if (!begun) {
                before = point.instancesByDeployment();
            } else {
                peak = Math.max(peak, all);
                most = most(most, point.instancesByDeployment());
            }
            if (over) {
                after = Math.min(after, all);
            }
        }
        List<Integer> grown = new ArrayList<>();
        for (int i = 0; i < before.size() && i < most.size(); i++) {
            if (most.get(i) > before.get(i)) {
                grown.add(i);
            }
        }
        return new Verdict(sum(before), peak, after == Integer.MAX_VALUE ? peak : after, List.copyOf(grown), List.of());
    }

    private static List<Integer> most(List<Integer> one, List<Integer> other) {
        List<Integer> most = new ArrayList<>();
        for (int i = 0; i < other.size(); i++) {
            most.add(i < one.size() ? Math.max(one.get(i), other.get(i)) : other.get(i));
        }
        return most;
    }

    private static int sum(List<Integer> counts) {
        return counts.stream().mapToInt(Integer::intValue).sum();
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /** Returns whether everything was shown. */
    public boolean isShown() {
        return missed.isEmpty();
    }

    /** Returns the verdict for programs. */
    public ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("shown", isShown())
                .put("instancesBefore", before)
                .put("instancesAtPeak", peak)
                .put("instancesAfter", after)
                .put("deploymentsGrown", grown.size());
        ArrayNode stopped = json.putArray("missed");
        missed.forEach(stopped::add);
        return json;
    }

    /** Describes the verdict for people. */
    public String line() {
        String growth = text(
                "scaled from %d instances to %d and back to %d, %d deployments among them",
                before, peak, after, grown.size());
        return isShown() ? growth : growth + "; this machine did not show it: " + String.join("; ", missed);
    }
}
