package io.lambdafs.coordinator;

import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * The SPI for membership and leases. A member exists from {@link #register} until {@link #forget}, whatever happens to
 * its process or session; the end of its session only marks it absent. Thread-safe; failures are {@code FsException}s,
 * {@code UNAVAILABLE} when the coordinator cannot be reached.
 */
public interface Coordinator extends AutoCloseable {
    /**
     * Calls back with every further change of the membership, in order; the watch is set before {@link #register} is
     * sent.
     */
    void watch(Consumer<View> listener);

    /**
     * Registers this process's member with a fresh lease, then reads the members: of two that register concurrently, at
     * least one finds the other.
     *
     * @return the members, including this one; fails if it is unknown whether the member is registered
     */
    CompletionStage<View> register(Member self);

    /** Reads the current members, including everything registered before this call. */
    CompletionStage<View> members();

    /**
     * Renews the lease, by a write that {@link #refuseRenewals} makes fail. The lease counts from the moment of this
     * call.
     *
     * @return completes when renewed; fails with {@code FENCED} when refused
     */
    CompletionStage<Void> renew(long epoch);

    /**
     * Refuses renewals of an epoch, the first step of a fence: once this completes, no renewal succeeds. Idempotent.
     */
    CompletionStage<Void> refuseRenewals(long epoch);

    /** Removes a member from the membership, the last step of a fence or a leave. Idempotent. */
    CompletionStage<Void> forget(long epoch);

    /**
     * Returns the members' mailboxes, which relay messages between instances that cannot reach each other. Always the
     * same object.
     */
    Mailboxes mailboxes();

    /** Ends the session with the coordinator. */
    @Override
    void close();
}
