package io.lambdafs.hammer.result;

import io.lambdafs.hammer.workload.OperationKind;
import java.util.EnumMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Latencies counted in an interval of a run, microseconds from the intended start, for one process to send to another.
 * Not thread-safe.
 */
public final class Slice {
    private final Map<OperationKind, Histogram> burst = new EnumMap<>(OperationKind.class);
    private final Map<OperationKind, Histogram> calm = new EnumMap<>(OperationKind.class);

    /** Creates an empty slice. */
    public Slice() {}

    void record(OperationKind kind, boolean inBurst, long micros, long count) {
        (inBurst ? burst : calm).computeIfAbsent(kind, any -> Tally.histogram()).recordValueWithCount(micros, count);
    }

    /** Returns the latencies of operations scheduled in a burst, by kind; kinds that did not occur are missing. */
    public Map<OperationKind, Histogram> burst() {
        return burst;
    }

    /** Returns the other latencies. */
    public Map<OperationKind, Histogram> calm() {
        return calm;
    }
}
