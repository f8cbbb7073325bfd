package io.lambdafs.hammer.coldstart;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * The cost of a newcomer's first operations. Immutable.
 *
 * @param spans the first 100, 1,000 and 10,000, and last the steady ones: the tenth thousand; empty if not measured
 */
record Warmth(List<Span> spans) {
    static final Warmth NONE = new Warmth(List.of());
    static final List<String> LABELS = List.of("first100", "first1000", "first10000", "steady");
    private static final int[] ENDS = {100, 1_000, 10_000};
    private static final int STEADY_FROM = 9_000;
    private static final int COUNT = 10_000;
    private static final double P99 = 0.99;

    Warmth {
        spans = List.copyOf(spans);
    }

    /** The CPU time per operation of an instance's process, and the caller's 99th percentile. */
    record Span(double cpuMicros, double p99Micros) {}

    /**
     * Measures a newcomer.
     *
     * @param operation does the n-th operation
     */
    static Warmth of(long pid, IntConsumer operation) {
        double[] latencies = new double[COUNT];
        List<Double> used = new ArrayList<>();
        double before = cpuMicros(pid);
        double steadyFrom = before;
        for (int i = 0; i < COUNT; i++) {
            long begun = System.nanoTime();
            operation.accept(i);
            latencies[i] = (System.nanoTime() - begun) / 1e3;
            if (i + 1 == ENDS[used.size()]) {
                used.add(cpuMicros(pid) - before);
            }
            if (i + 1 == STEADY_FROM) {
                steadyFrom = cpuMicros(pid) - before;
            }
        }
        List<Span> spans = new ArrayList<>();
        for (int i = 0; i < ENDS.length; i++) {
            spans.add(span(used.get(i), Arrays.copyOf(latencies, ENDS[i])));
        }
        spans.add(span(used.get(ENDS.length - 1) - steadyFrom, Arrays.copyOfRange(latencies, STEADY_FROM, COUNT)));
        return new Warmth(spans);
    }

    private static Span span(double cpuMicros, double[] latencies) {
        Arrays.sort(latencies);
        int at = (int) Math.ceil(P99 * latencies.length) - 1;
        return new Span(cpuMicros / latencies.length, latencies[at]);
    }

    /** Returns the CPU time of a process's threads, in microseconds; 0 if this system does not report it. */
    static double cpuMicros(long pid) {
        double nanos = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "task"))) {
            for (Path each : threads) {
                nanos += nanos(each);
            }
        } catch (IOException e) {
            return 0;
        }
        return nanos / 1e3;
    }

    /** Returns the CPU time of a thread; 0 of one that has ended meanwhile, or if this system does not report it. */
    private static long nanos(Path thread) {
        try {
            String told = Files.readString(thread.resolve("schedstat"));
            return Long.parseLong(told.substring(0, told.indexOf(' ')));
        } catch (IOException | RuntimeException e) {
            return 0;
        }
    }
}
