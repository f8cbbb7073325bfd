package io.lambdafs.client.call;

import io.lambdafs.model.Disposition;
import io.lambdafs.model.ErrorCode;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Whether and when a failed attempt is repeated: the one place that decides it. By the error's {@link Disposition}: FINAL gives
 * up; RETRY and OUTCOME_UNKNOWN go again under the same request id, which is safe for writes because their slots make them
 * exactly-once. Waits grow exponentially from {@link #FIRST} to {@link #LONGEST} with full jitter, so that what failed together
 * does not come back together (the paper's §3.2). Immutable; thread-safe.
 */
public final class Retries {
    /** Upper bound of the first wait. */
    public static final Duration FIRST = Duration.ofMillis(10);
    /** Upper bound of any wait. */
    public static final Duration LONGEST = Duration.ofSeconds(2);
    /** In place of a wait: do not try again. */
    static final long GIVE_UP = -1;

    private final long deadlineNanos;
    private final long firstContactNanos;
    private final RandomGenerator random;

    /**
     * @param deadline how long to try altogether
     * @param firstContact how long to try where the platform's gateway has never been reached: most likely its address is wrong
     */
    Retries(Duration deadline, Duration firstContact, RandomGenerator random) {
        this.deadlineNanos = deadline.toNanos();
        this.firstContactNanos = firstContact.toNanos();
        this.random = random;
    }

    /**
     * How far a request has come.
     *
     * @param attempts made, at least 1
     * @param elapsedNanos since the request was accepted
     * @param contacted whether the gateway has ever been reached, a connection stands, or the request may have taken effect
     */
    record Progress(int attempts, long elapsedNanos, boolean contacted) {}

    /** Nanoseconds to wait before the next attempt, or {@link #GIVE_UP}. */
    long delayAfter(ErrorCode code, Progress progress) {
        if (code.disposition() == Disposition.FINAL) {
            return GIVE_UP;
        }
        long limit = isOutOfReach(code, progress) ? Math.min(firstContactNanos, deadlineNanos) : deadlineNanos;
        long delay = random.nextLong(boundAfter(progress.attempts()) + 1);
        return progress.elapsedNanos() + delay < limit ? delay : GIVE_UP;
    }

    /** Whether nothing has been reached yet, so that it may be given up before its deadline. */
    static boolean isOutOfReach(ErrorCode code, Progress progress) {
        return code == ErrorCode.UNAVAILABLE && !progress.contacted();
    }

    /** The longest wait after the given number of attempts, nanoseconds. */
    public static long boundAfter(int attempts) {
        int doublings = Math.min(attempts - 1, 20);
        return Math.min(FIRST.toNanos() << doublings, LONGEST.toNanos());
    }
}
