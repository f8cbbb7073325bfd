package io.lambdafs.benchmarks.micro.driver;

import org.jspecify.annotations.Nullable;

/** Supplies the calls of one measurement. Each lane is used by one thread at a time, several lanes at once. */
@FunctionalInterface
interface Workload<P> {
    /** Returns the lane's next call; null if nothing is left to do, which ends the measurement for all lanes. */
    @Nullable
    Step<P> next(int lane);
}
