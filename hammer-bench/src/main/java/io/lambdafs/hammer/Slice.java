package io.lambdafs.hammer;

import java.util.EnumMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Latency, microseconds from the intended start, of what a run has counted in an interval: what one process tells another. Not thread-safe. */
public final class Slice {
    private final Map<OperationKind, Histogram> burst = new EnumMap<>(OperationKind.class);
    private final Map<OperationKind, Histogram> calm = new EnumMap<>(OperationKind.class);

    /** An empty one. */
    public Slice() {}

    void record(OperationKind kind, boolean inBurst, long micros, long count) {
        (inBurst ? burst : calm).computeIfAbsent(kind, any -> Tally.histogram()).recordValueWithCount(micros, count);
    }

    /** What was meant to start in a burst of the load, by kind; kinds that did not occur are missing. */
    public Map<OperationKind, Histogram> burst() {
        return burst;
    }

    /** The rest. */
    public Map<OperationKind, Histogram> calm() {
        return calm;
    }
}
