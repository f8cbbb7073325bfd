package io.lambdafs.hammer.load;

import io.lambdafs.hammer.result.Latency;
import io.lambdafs.hammer.result.ReplayResult;
import io.lambdafs.hammer.result.SeriesPoint;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Predicate;

/**
 * A cluster's response to a load that rises at once and falls again ({@link io.lambdafs.hammer.workload.LoadShape#STEP}).
 * Immutable.
 *
 * @param maxInstances maximum allowed for a deployment
 * @param seconds length of the load, three phases
 */
record StepResponse(int maxInstances, int seconds, ReplayResult result, Turnover turnover) {
    /** Consecutive seconds for which something must hold to count. */
    private static final int SUSTAINED = 3;
    /** Share of a second's load that may wait without being a queue. */
    private static final double QUEUE_SECONDS = 0.1;

    private static final double NEAR_BEFORE = 2;

    /** A third of the load. */
    enum Phase {
        BEFORE(0),
        STEP(1),
        AFTER(2);

        private final int before;

        Phase(int before) {
            this.before = before;
        }

        double from(int seconds) {
            return before * seconds / 3.0;
        }

        double to(int seconds) {
            return (before + 1) * seconds / 3.0;
        }

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private List<SeriesPoint> points(double from, double to) {
        return result.series().stream()
                .filter(point -> point.seconds() > from && point.seconds() <= to)
                .toList();
    }

    /** Returns the operations done per second. */
    double opsPerSecond(Phase phase) {
        return points(phase.from(seconds), phase.to(seconds)).stream()
                .mapToDouble(SeriesPoint::opsPerSecond)
                .average()
                .orElse(0);
    }

    /** Returns the 99th percentile of its worst second, milliseconds. */
    double worstP99Millis(Phase phase) {
        return points(phase.from(seconds), phase.to(seconds)).stream()
                .mapToDouble(point -> point.p99Micros() / 1e3)
                .max()
                .orElse(0);
    }

    /**
     * Returns the median of its seconds' 99th percentiles, milliseconds, over its second half, when its initial effects
     * are over.
     */
    double settledP99Millis(Phase phase) {
        double[] sorted = points(middle(phase), phase.to(seconds)).stream()
                .mapToDouble(point -> point.p99Micros() / 1e3)
                .sorted()
                .toArray();
        return sorted.length == 0 ? 0 : sorted[sorted.length / 2];
    }

    private double middle(Phase phase) {
        return (phase.from(seconds) + phase.to(seconds)) / 2;
    }

    /** Returns the maximum number of instances at one moment. */
    int peakInstances(Phase phase) {
        return points(phase.from(seconds), phase.to(seconds)).stream()
                .mapToInt(point -> point.instancesByDeployment().stream()
                        .mapToInt(Integer::intValue)
                        .sum())
                .max()
                .orElse(0);
    }

    /** Counts the instances that came or went in the second half of a phase, after the load has long been constant. */
    int changesWhileConstant(Phase phase) {
        double from = middle(phase);
        double to = phase.to(seconds);
        return turnover.starts(from, to) + turnover.stops(from, to);
    }

    /**
     * Returns the seconds from the step until the 99th percentile was at most twice that of before, for three seconds;
     * empty if it never was.
     */
    OptionalDouble absorbedAfter() {
        double limitMicros = NEAR_BEFORE * 1e3 * settledP99Millis(Phase.BEFORE);
        return sustained(point -> point.p99Micros() <= limitMicros);
    }

    /**
     * Returns the seconds from the step until no more than a tenth of a second's load waited, for three seconds; empty
     * if it never did.
     */
    OptionalDouble queueGoneAfter() {
        return sustained(point -> point.waiting() <= QUEUE_SECONDS * point.offeredPerSecond());
    }

    private OptionalDouble sustained(Predicate<SeriesPoint> wanted) {
        double step = Phase.STEP.from(seconds);
        List<SeriesPoint> points = points(step, seconds);
        int held = 0;
        for (int i = 0; i < points.size(); i++) {
            held = wanted.test(points.get(i)) ? held + 1 : 0;
            if (held == SUSTAINED) {
                int first = i - SUSTAINED + 1;
                return OptionalDouble.of(first == 0 ? 0 : points.get(first - 1).seconds() - step);
            }
        }
        return OptionalDouble.empty();
    }

    /** Returns the latency of the slowest operation, including its waiting, in milliseconds. */
    double worstMillis() {
        Latency all = result.latencyMicros().get(ReplayResult.ALL);
        return all == null ? 0 : all.max() / 1e3;
    }
}
