package io.lambdafs.hammer.loop;

import org.jspecify.annotations.Nullable;

/**
 * Supplies the calls of a load. Each lane is used by one thread at a time, several lanes at once.
 *
 * @param <C> type of a call
 */
@FunctionalInterface
public interface Calls<C> {
    /** Returns the lane's next call; null if nothing is left to do. */
    @Nullable
    C next(int lane);
}
