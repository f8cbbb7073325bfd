package io.lambdafs.model;

import java.time.Duration;

/**
 * The waits of the protocol. An instance that does not answer delays a write by at most ack wait + lease, as long as clocks and the
 * messages of a fence stay within the drift: the instance counts its lease shorter than that by twice the drift ({@link #held}), and
 * a fence waits for one drift less ({@link #outlasting}). They must nest, and every process asserts it when it starts: a missed acknowledgement is settled (ack
 * wait, lease, drift) before anyone tires of waiting for the row locks that its writer holds, locks before the transaction is
 * ended, the transaction before the client's attempt, attempts before the deadline, and a slot outlives them all. Immutable.
 *
 * @param ackWait how long a writer waits for an acknowledgement before it fences
 * @param lease how long others reckon with an instance after its renewals were refused
 * @param drift bound on how far two clocks run apart during a lease, and on the messages of a fence
 * @param session the coordinator's session time-out; above lease + drift
 * @param lockWait longest wait for a row lock in the store
 * @param transaction longest life of a store transaction
 * @param attempt how long a client waits for one attempt
 * @param deadline how long a client tries altogether
 * @param slotLife how long the result of a write is kept for its repetitions
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

    /** The same with another attempt time. */
    public Times withAttempt(Duration other) {
        return new Times(ackWait, lease, drift, session, lockWait, transaction, other, deadline, slotLife);
    }

    /** The same with another deadline. */
    public Times withDeadline(Duration other) {
        return new Times(ackWait, lease, drift, session, lockWait, transaction, attempt, other, slotLife);
    }

    /** The same with another slot life. */
    public Times withSlotLife(Duration other) {
        return new Times(ackWait, lease, drift, session, lockWait, transaction, attempt, deadline, other);
    }

    /** Returns how long an instance may answer from its cache after it sent a renewal that succeeded. */
    public Duration held() {
        return lease.minus(drift.multipliedBy(2));
    }

    /** Returns how long a fence waits after it refused renewals: then the lease is over by the instance's own clock, too. */
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
