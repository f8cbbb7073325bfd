package io.lambdafs.benchmarks.micro;

import java.util.List;
import java.util.stream.DoubleStream;
import org.HdrHistogram.Histogram;

/** Turns with given numbers. */
final class Rounds {
    private Rounds() {}

    /** One second each, with so many calls of 1 ms, 20 µs of client CPU and 30 µs of server CPU, 5 of the two for compiling, per call. */
    static List<Round> of(double... opsPerSecond) {
        return DoubleStream.of(opsPerSecond).mapToObj(Rounds::round).toList();
    }

    private static Round round(double ops) {
        Histogram nanos = new Histogram(3);
        nanos.recordValueWithCount(1_000_000, (long) ops);
        return new Round(nanos, 0, null, 1, ops * 20e-6, ops * 30e-6, ops * 5e-6, 0.5);
    }
}
