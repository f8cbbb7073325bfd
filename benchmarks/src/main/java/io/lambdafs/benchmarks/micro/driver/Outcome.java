package io.lambdafs.benchmarks.micro.driver;

import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The joint result of all lanes. Its owner owns the histogram.
 *
 * @param nanos service times of the successful calls that ended within the span
 * @param failed failed calls at any time
 * @param failure the first failure of a lane
 * @param seconds length of the span
 */
record Outcome(Histogram nanos, long failed, @Nullable String failure, double seconds) {
    static Outcome of(Span span, List<Lane> lanes) {
        Histogram all = Lane.histogram();
        long failed = 0;
        String failure = null;
        for (Lane lane : lanes) {
            all.add(lane.nanos());
            failed += lane.failed();
            failure = failure == null ? lane.failure() : failure;
        }
        return new Outcome(all, failed, failure, span.seconds());
    }

    double opsPerSecond() {
        return nanos.getTotalCount() / Math.max(1e-9, seconds);
    }
}
