package io.lambdafs.benchmarks.micro;

import io.lambdafs.benchmarks.micro.driver.MicroOp;

/**
 * What is measured in turns with others of its kind. Immutable.
 *
 * @param target its name
 * @param api {@value #HADOOP} or {@value #NATIVE}
 * @param concurrency threads of the one, window of the other
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
