package io.lambdafs.model.time;

import io.lambdafs.model.FsException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

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
    /** The time between one limit and the next that is to outlast it, where neither is set. */
    private static final Duration STEP = Duration.ofSeconds(2);

    public static final Times DEFAULT = from((name, otherwise) -> otherwise);

    /** The settings that the times derive from. */
    @FunctionalInterface
    public interface Settings {
        /**
         * Returns a limit.
         *
         * @param name of the component
         * @param otherwise returned if it is not set
         */
        Duration of(String name, Duration otherwise);
    }

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

    /**
     * Returns the limits that are set, and for the others those that nest with them: the defaults, or longer.
     *
     * @throws FsException {@code INVALID_ARGUMENT} with what to change, if those that are set do not nest
     */
    public static Times from(Settings set) {
        Duration ackWait = set.of("ackWait", Duration.ofMillis(500));
        Duration lease = set.of("lease", Duration.ofSeconds(1));
        Duration drift = set.of("drift", Duration.ofMillis(100));
        Duration settled = ackWait.plus(lease).plus(drift);
        Duration session = set.of("session", longest(4_000, lease.plus(drift).multipliedBy(2)));
        Duration lockWait = set.of("lockWait", longest(3_000, settled.plus(drift)));
        Duration transaction = set.of("transaction", longest(5_000, lockWait.plus(STEP)));
        Duration attempt = set.of("attempt", longest(7_000, transaction.plus(STEP)));
        Duration deadline = set.of("deadline", longest(60_000, attempt.multipliedBy(2)));
        Duration slotLife = set.of("slotLife", longest(600_000, deadline.multipliedBy(2)));
        return new Times(ackWait, lease, drift, session, lockWait, transaction, attempt, deadline, slotLife);
    }

    private static Duration longest(long millis, Duration other) {
        return Collections.max(List.of(Duration.ofMillis(millis), other));
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
            throw FsException.invalidArgument("times must nest: " + a + " (" + x.toMillis() + " ms) must be less than "
                    + b + " (" + y.toMillis() + " ms): raise " + b + (x.isZero() ? "" : ", or lower " + a));
        }
    }
}
