package io.lambdafs.benchmarks.micro;

import io.lambdafs.benchmarks.micro.driver.MicroOp;

/**
 * The key of a lane: target, interface, operation and concurrency, measured in turns with others. Immutable.
 *
 * @param target name of the target
 * @param api {@value #HADOOP} or {@value #NATIVE}
 * @param concurrency threads of Hadoop's interface, or window of the native one
 */
record LaneKey(String target, String api, MicroOp op, int concurrency) {
    static final String HADOOP = "hadoop";
    static final String NATIVE = "native";

    boolean isNative() {
        return api.equals(NATIVE);
    }

    int threads() {
        return isNative() ? 1 : concurrency;
    }

    int window() {
        return isNative() ? concurrency : 1;
    }
}
