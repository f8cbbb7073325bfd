package io.lambdafs.model;

import java.time.Duration;

/**
 * The time limits of the protocol. An instance that does not answer delays a write by at most ack wait + lease, as long
 * as clocks and the messages of a fence stay within the drift: the instance shortens its lease by twice the drift
 * ({@link #held}), and a fence waits for one drift less ({@link #outlasting}). The limits must nest, which every
 * process asserts at startup: a missed acknowledgement is settled (ack wait, lease, drift) before waits for the
 * writer's row locks expire, lock waits before the transaction, the transaction before the client's attempt, attempts
 * before the deadline, and a slot outlives them all. Immutable.
 *
 * @param ackWait how long a writer waits for an acknowledgement before it fences
 * @param lease how long an instance may still answer after its renewals were refused, as others assume
 * @param drift bound on how far two clocks diverge during a lease, and on the messages of a fence
 * @param session the coordinator's session time-out; above lease + drift
 * @param lockWait maximum wait for a row lock in the store
 * @param transaction maximum duration of a store transaction
 * @param attempt limit on one attempt of a client
 * @param deadline limit on all attempts of a client together
 * @param slotLife how long the result of a write is kept for retries
 */
public record Times(
        Duration ackWait,
        Duration lease,
        Duration drift,
        Duration session,
        Duration lockWait,
        Duration transaction,
        Duration attempt,
        Duration deadline,
        Duration slotLife) {
    public static final Times DEFAULT = new Times(
            Duration.ofMillis(500),
            Duration.ofMillis(1_000),
            Duration.ofMillis(100),
            Duration.ofMillis(4_000),
            Duration.ofMillis(3_000),
            Duration.ofMillis(5_000),
            Duration.ofMillis(7_000),
            Duration.ofMillis(60_000),
            Duration.ofMinutes(10));

    public Times {
        Duration settled = ackWait.plus(lease).plus(drift);
        less("ack wait + lease + drift", settled, "lock wait", lockWait);
        less("lease + drift", lease.plus(drift), "coordinator session", session);
        less("lock wait", lockWait, "transaction limit", transaction);
        less("transaction limit", transaction, "attempt", attempt);
        less("attempt", attempt, "deadline", deadline);
        less("deadline", deadline, "slot life", slotLife);
        less("0", Duration.ZERO, "ack wait", ackWait);
        less("three times drift", drift.multipliedBy(3), "lease", lease);
    }

    /** Returns a copy with another attempt time. */
    public Times withAttempt(Duration other) {
        return new Times(ackWait, lease, drift, session, lockWait, transaction, other, deadline, slotLife);
    }

    /** Returns a copy with another deadline. */
    public Times withDeadline(Duration other) {
        return new Times(ackWait, lease, drift, session, lockWait, transaction, attempt, other, slotLife);
    }

    /** Returns a copy with another slot life. */
    public Times withSlotLife(Duration other) {
        return new Times(ackWait, lease, drift, session, lockWait, transaction, attempt, deadline, other);
    }

    /** Returns how long an instance may answer from its cache, counted from sending a renewal that succeeded. */
    public Duration held() {
        return lease.minus(drift.multipliedBy(2));
    }

    /**
     * Returns how long a fence waits after refusing renewals, until the lease is over by the instance's own clock too.
     */
    public Duration outlasting() {
        return lease.minus(drift);
    }

    private static void less(String a, Duration x, String b, Duration y) {
        if (x.compareTo(y) >= 0) {
            throw new FsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "times must nest: " + a + " (" + x.toMillis() + " ms) must be less than " + b + " (" + y.toMillis()
                            + " ms)");
        }
    }
}
