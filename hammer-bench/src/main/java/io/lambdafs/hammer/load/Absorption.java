package io.lambdafs.hammer.load;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.hammer.result.ReplayResult;
import io.lambdafs.hammer.result.SeriesPoint;
import io.lambdafs.hammer.workload.Workload;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * The absorption of a burst. Immutable.
 *
 * @param after seconds from its beginning until 99 of 100 operations took at most {@value #LIMIT_MILLIS} ms, in three
 * consecutive seconds; empty if they never did
 * @param worstMillis the highest 99th percentile of a second outside the burst's first {@value #GRACE_SECONDS} s
 */
public record Absorption(OptionalDouble after, double worstMillis) {
    static final double LIMIT_MILLIS = 100;
    static final double GRACE_SECONDS = 5;
    private static final int SUSTAINED = 3;

    /** Computes the absorption for a run with one burst. */
    public static Absorption of(ReplayResult result, Workload workload) {
        List<SeriesPoint> load = result.series().stream()
                .filter(point -> point.seconds() <= workload.length().toMillis() / 1e3 + 0.5)
                .toList();
        double began = load.stream()
                        .mapToDouble(SeriesPoint::seconds)
                        .filter(second -> workload.isBurst(second - 0.5))
                        .min()
                        .orElse(Double.MAX_VALUE)
                - 1;
        OptionalDouble after = OptionalDouble.empty();
        double worst = 0;
        int held = 0;
        for (SeriesPoint point : load) {
            double millis = point.p99Micros() / 1e3;
            double since = point.seconds() - began;
            if (since > 0 && after.isEmpty()) {
                held = millis <= LIMIT_MILLIS ? held + 1 : 0;
                after = held == SUSTAINED ? OptionalDouble.of(Math.max(0, since - SUSTAINED)) : after;
            }
            worst = since <= 0 || since > GRACE_SECONDS ? Math.max(worst, millis) : worst;
        }
        return new Absorption(after, worst);
    }

    /** Returns the result for programs. */
    public ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        if (after.isPresent()) {
            json.put("afterSeconds", Math.ceil(after.getAsDouble()));
        }
        return json.put("worstOtherP99Millis", worstMillis);
    }

    /** Describes the result for people. */
    public String line() {
        String outside = String.format(Locale.ROOT, "p99 of the worst other second %.1f ms", worstMillis);
        return after.isPresent()
                ? String.format(
                        Locale.ROOT,
                        "the burst was absorbed within %.0f s (p99 at most %.0f ms from then on); %s",
                        Math.ceil(after.getAsDouble()),
                        LIMIT_MILLIS,
                        outside)
                : String.format(
                        Locale.ROOT, "the burst was not absorbed: p99 stayed above %.0f ms; %s", LIMIT_MILLIS, outside);
    }
}
