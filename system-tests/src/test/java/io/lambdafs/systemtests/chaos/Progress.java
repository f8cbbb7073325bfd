package io.lambdafs.systemtests.chaos;

import java.util.Arrays;

/** When calls completed: for rates, and for how long nothing did. Thread-safe. */
final class Progress {
    private long[] completions = new long[1 << 16];
    private int size;
    private int writes;
    private long slowestNanos;

    synchronized void completed(boolean isWrite, long invokedNanos, long nanos) {
        if (size == completions.length) {
            completions = Arrays.copyOf(completions, 2 * size);
        }
        completions[size++] = nanos;
        writes += isWrite ? 1 : 0;
        slowestNanos = Math.max(slowestNanos, nanos - invokedNanos);
    }

    synchronized int completed() {
        return size;
    }

    synchronized int writes() {
        return writes;
    }

    synchronized long slowestMillis() {
        return slowestNanos / 1_000_000;
    }

    /** Calls that completed between two moments. */
    synchronized int between(long fromNanos, long toNanos) {
        int count = 0;
        for (int i = 0; i < size; i++) {
            count += completions[i] - fromNanos >= 0 && completions[i] - toNanos < 0 ? 1 : 0;
        }
        return count;
    }

    /** The longest time between two moments in which nothing completed, milliseconds. */
    synchronized long longestGapMillis(long fromNanos, long toNanos) {
        long last = fromNanos;
        long longest = 0;
        long[] sorted = Arrays.copyOf(completions, size);
        Arrays.sort(sorted);
        for (long each : sorted) {
            if (each - fromNanos >= 0 && each - toNanos <= 0) {
                longest = Math.max(longest, each - last);
                last = each;
            }
        }
        return Math.max(longest, toNanos - last) / 1_000_000;
    }
}
