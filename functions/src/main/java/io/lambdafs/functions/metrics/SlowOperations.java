package io.lambdafs.functions.metrics;

import io.lambdafs.functions.serving.SlowOperation;
import io.lambdafs.model.operation.Operation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The {@value #KEPT} slowest operations of the last ten minutes among those that took at least a millisecond. All
 * others cost one comparison. Thread-safe.
 */
public final class SlowOperations {
    static final int KEPT = 20;
    private static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long AGE_MILLIS = TimeUnit.MINUTES.toMillis(10);

    private final LongSupplier clock;
    private final List<SlowOperation> kept = new ArrayList<>();
    /** Faster operations are ignored. */
    private volatile long floorNanos = LEAST_NANOS;

    SlowOperations(LongSupplier clock) {
        this.clock = clock;
    }

    void offer(Operation<?> operation, long nanos) {
        if (nanos >= floorNanos) {
            add(new SlowOperation(operation.kind(), operation.path(), nanos, clock.getAsLong()));
        }
    }

    private synchronized void add(SlowOperation slow) {
        kept.add(slow);
        trim(slow.millis());
    }

    private void trim(long nowMillis) {
        kept.removeIf(each -> nowMillis - each.millis() > AGE_MILLIS);
        kept.sort(Comparator.comparingLong(SlowOperation::nanos).reversed());
        while (kept.size() > KEPT) {
            kept.remove(kept.size() - 1);
        }
        floorNanos = kept.size() < KEPT ? LEAST_NANOS : kept.get(KEPT - 1).nanos() + 1;
    }

    /** Returns the operations, slowest first. */
    public synchronized List<SlowOperation> list() {
        trim(clock.getAsLong());
        return List.copyOf(kept);
    }
}
