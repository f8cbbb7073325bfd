package io.lambdafs.cluster.watch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.gateway.GatewayClient;
import io.lambdafs.platform.MetricsPage;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The work of a cluster's instances between two readings of the metrics that its gateway sums up, from which the live
 * page has its figures too. Those are a second old at most. Immutable.
 */
record Work(MetricsPage before, MetricsPage after, double seconds) {
    private static final String OF_USERS = "lambdafs_user_operations";

    /** A rate below this is shown as none. */
    private static final double LEAST = 0.05;

    private static final int SHOWN = 8;

    /** Samples of a metric, to be summed by one of their labels; {@code wanted} chooses by the labels as written. */
    private record Series(String metric, String label, Predicate<String> wanted) {}

    /** The metrics at a moment. */
    record Reading(MetricsPage page, long nanos) {
        static Reading of(GatewayClient gateway) {
            return new Reading(gateway.metrics(), System.nanoTime());
        }

        Work until(Reading later) {
            return new Work(page, later.page, Math.max(1, later.nanos - nanos) / 1e9);
        }
    }

    /** Watches a gateway for some seconds. */
    static Work during(GatewayClient gateway, int seconds) throws InterruptedException {
        Reading first = Reading.of(gateway);
        TimeUnit.SECONDS.sleep(seconds);
        return first.until(Reading.of(gateway));
    }

    /** Returns the operations per second by kind, the most frequent first, without those that did not happen. */
    Map<String, Double> byKind() {
        return rates(new Series("lambdafs_operation_seconds_count", "operation", labels -> true));
    }

    /** Returns the same by user, as far as instances count users by name. */
    Map<String, Double> byUser() {
        return rates(new Series(OF_USERS, "user", labels -> true));
    }

    /** Returns the same of one user, by kind. */
    Map<String, Double> kindsOf(String user) {
        return rates(new Series(
                OF_USERS,
                "operation",
                labels -> MetricsPage.label(labels, "user").equals(user)));
    }

    /** Returns the growth of a metric's samples per second, summed by a label, the largest first. */
    private Map<String, Double> rates(Series of) {
        Map<String, Double> grown = new HashMap<>();
        add(grown, of, after, 1);
        add(grown, of, before, -1);
        Map<String, Double> rates = new LinkedHashMap<>();
        grown.entrySet().stream()
                .filter(each -> each.getValue() / seconds >= LEAST)
                .sorted(Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .forEach(each -> rates.put(each.getKey(), each.getValue() / seconds));
        return rates;
    }

    private static void add(Map<String, Double> sums, Series of, MetricsPage page, int sign) {
        page.each((name, labels, value) -> {
            if (name.equals(of.metric()) && of.wanted().test(labels)) {
                sums.merge(MetricsPage.label(labels, of.label()), sign * value, Double::sum);
            }
        });
    }

    /** Returns the share of look-ups that caches answered meanwhile; empty without any. */
    OptionalDouble hitRatio() {
        return ratio(hits(after) - hits(before), misses(after) - misses(before));
    }

    /** Returns the same since the gateway's start. */
    OptionalDouble hitRatioEver() {
        return ratio(hits(after), misses(after));
    }

    private static OptionalDouble ratio(double hits, double misses) {
        return hits < 0 || misses < 0 || hits + misses == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(hits / (hits + misses));
    }

    private static double hits(MetricsPage page) {
        return ofCache(page, "lambdafs_cache_hits_total");
    }

    private static double misses(MetricsPage page) {
        return ofCache(page, "lambdafs_cache_misses_total");
    }

    private static double ofCache(MetricsPage page, String metric) {
        return List.of("entry", "listing").stream()
                .mapToDouble(role -> page.sum(metric, "role", role))
                .sum();
    }

    static double sum(Map<String, Double> rates) {
        return rates.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    /** Returns rates in one line, the largest first. */
    static String text(Map<String, Double> rates) {
        return rates.entrySet().stream()
                .limit(SHOWN)
                .map(each -> String.format(Locale.ROOT, "%s %,.1f", each.getKey(), each.getValue()))
                .collect(Collectors.joining(", "));
    }

    /** Writes rates with one digit. */
    static void put(ObjectNode node, Map<String, Double> rates) {
        rates.forEach((name, rate) -> node.put(name, Math.round(rate * 10) / 10.0));
    }
}
