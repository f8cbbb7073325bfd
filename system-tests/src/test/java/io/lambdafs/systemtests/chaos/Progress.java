package io.lambdafs.systemtests.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** When calls that got an answer were made and completed: for rates, for delays, and for how long nothing was answered. Thread-safe. */
final class Progress {
    private final List<Call> calls = new ArrayList<>();
    private int writes;
    private long slowestNanos;

    /** A call that was answered; nanoseconds of this process's monotonic clock. */
    record Call(boolean isWrite, long invoked, long completed) {
        boolean isRead() {
            return !isWrite;
        }

        private boolean overlaps(long from, long to) {
            return completed - from >= 0 && invoked - to <= 0;
        }

        private boolean completedIn(long from, long to) {
            return completed - from >= 0 && completed - to < 0;
        }
    }

    synchronized void completed(boolean isWrite, long invokedNanos, long nanos) {
        calls.add(new Call(isWrite, invokedNanos, nanos));
        writes += isWrite ? 1 : 0;
        slowestNanos = Math.max(slowestNanos, nanos - invokedNanos);
    }

    synchronized int completed() {
        return calls.size();
    }

    /** Waits until so many more calls than now have been answered. */
    void awaitMore(int calls, Duration limit) {
        int before = completed();
        Awaitility.await("service resumes by itself").atMost(limit).until(() -> completed() >= before + calls);
    }

    synchronized int writes() {
        return writes;
    }

    synchronized long slowestMillis() {
        return slowestNanos / 1_000_000;
    }

    private synchronized Stream<Call> calls() {
        return List.copyOf(calls).stream();
    }

    /** Calls that completed between two moments. */
    int between(long fromNanos, long toNanos) {
        return between(fromNanos, toNanos, any -> true);
    }

    /** Calls of a kind that completed between two moments. */
    int between(long fromNanos, long toNanos, Predicate<Call> kind) {
        return (int) calls().filter(kind)
                .filter(each -> each.completedIn(fromNanos, toNanos))
                .count();
    }

    /** How long the longest call of a kind took of those that were under way at some moment between two, milliseconds. */
    long longestMillis(long fromNanos, long toNanos, Predicate<Call> kind) {
        return calls().filter(kind)
                        .filter(each -> each.overlaps(fromNanos, toNanos))
                        .mapToLong(each -> each.completed() - each.invoked())
                        .max()
                        .orElse(0)
                / 1_000_000;
    }

    /** How long after a moment the last of the calls completed that had been made before it, milliseconds. */
    long answeredAfterMillis(long nanos) {
        return calls().filter(each -> each.overlaps(nanos, nanos))
                        .mapToLong(each -> each.completed() - nanos)
                        .max()
                        .orElse(0)
                / 1_000_000;
    }

    /** The longest time between two moments in which nothing completed, milliseconds. */
    long longestGapMillis(long fromNanos, long toNanos) {
        return longestGapMillis(fromNanos, toNanos, any -> true);
    }

    /** The longest time between two moments in which nothing of a kind completed, milliseconds. */
    long longestGapMillis(long fromNanos, long toNanos, Predicate<Call> kind) {
        long[] completions = calls().filter(kind)
                .filter(each -> each.completedIn(fromNanos, toNanos))
                .mapToLong(each -> each.completed() - fromNanos)
                .sorted()
                .toArray();
        long last = 0;
        long longest = 0;
        for (long each : completions) {
            longest = Math.max(longest, each - last);
            last = each;
        }
        return Math.max(longest, toNanos - fromNanos - last) / 1_000_000;
    }
}
