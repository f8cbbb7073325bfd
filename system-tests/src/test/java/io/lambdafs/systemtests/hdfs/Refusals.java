package io.lambdafs.systemtests.hdfs;

import io.lambdafs.model.ErrorCode;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** How many of the next calls are refused, and why. Thread-safe. */
final class Refusals {
    private final AtomicInteger left = new AtomicInteger();
    private volatile @Nullable ErrorCode code;

    void next(int calls, ErrorCode why) {
        code = why;
        left.set(calls);
    }

    int left() {
        return left.get();
    }

    /** Why the call that is made now is refused; null where it is not. */
    @Nullable
    ErrorCode take() {
        ErrorCode why = code;
        return why != null && left.getAndUpdate(calls -> Math.max(0, calls - 1)) > 0 ? why : null;
    }
}
