package io.lambdafs.benchmarks.micro.driver;

import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What all lanes have done. The histogram belongs to whoever has this.
 *
 * @param nanos service times of the calls that ended well within the span
 * @param failed calls that did not end well, whenever
 * @param failure the first that a lane saw
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
