package io.lambdafs.client.call;

import io.lambdafs.model.Disposition;
import io.lambdafs.model.ErrorCode;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The retry policy: the only place that decides whether and when to retry a failed attempt. By the error's {@link
 * Disposition}, FINAL gives up; RETRY and OUTCOME_UNKNOWN retry under the same request id, which is safe for writes
 * because slots make them exactly-once. Delays grow exponentially from {@link #FIRST} to {@link #LONGEST} with full
 * jitter, so that requests that failed together do not return together (the paper's §3.2). Immutable; thread-safe.
 */
public final class Retries {
    /** Upper bound of the first delay. */
    public static final Duration FIRST = Duration.ofMillis(10);
    /** Upper bound of any delay. */
    public static final Duration LONGEST = Duration.ofSeconds(2);
    /** Returned instead of a delay: do not retry. */
    static final long GIVE_UP = -1;

    private final long deadlineNanos;
    private final long firstContactNanos;
    private final RandomGenerator random;

    /**
     * @param deadline total time to try
     * @param firstContact time to try if the gateway has never been reached, when its address is probably wrong
     */
    Retries(Duration deadline, Duration firstContact, RandomGenerator random) {
        this.deadlineNanos = deadline.toNanos();
        this.firstContactNanos = firstContact.toNanos();
        this.random = random;
    }

    /**
     * The progress of a request.
     *
     * @param attempts made, at least 1
     * @param elapsedNanos since the request was accepted
     * @param contacted whether the gateway has ever been reached, a connection is open, or the request may have taken
     *     effect
     */
    record Progress(int attempts, long elapsedNanos, boolean contacted) {}

    /** Returns the nanoseconds to wait before the next attempt, or {@link #GIVE_UP}. */
    long delayAfter(ErrorCode code, Progress progress) {
        if (code.disposition() == Disposition.FINAL) {
            return GIVE_UP;
        }
        long limit = isOutOfReach(code, progress) ? Math.min(firstContactNanos, deadlineNanos) : deadlineNanos;
        long delay = random.nextLong(boundAfter(progress.attempts()) + 1);
        return progress.elapsedNanos() + delay < limit ? delay : GIVE_UP;
    }

    /** Returns whether nothing has been reached yet, so that the request may be given up before its deadline. */
    static boolean isOutOfReach(ErrorCode code, Progress progress) {
        return code == ErrorCode.UNAVAILABLE && !progress.contacted();
    }

    /** Returns the maximum delay after a number of attempts, in nanoseconds. */
    public static long boundAfter(int attempts) {
        int doublings = Math.min(attempts - 1, 20);
        return Math.min(FIRST.toNanos() << doublings, LONGEST.toNanos());
    }
}
