package io.lambdafs.benchmarks.micro.driver;

import org.jspecify.annotations.Nullable;

/** The calls of one measurement. Each lane is asked by one thread at a time, lanes by several at once. */
@FunctionalInterface
interface Workload<P> {
    /** The lane's next call; null when there is nothing left to do, which ends the measurement for all lanes. */
    @Nullable
    Step<P> next(int lane);
}
