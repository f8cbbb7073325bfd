package io.lambdafs.coordinator;

import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Membership and leases. A member is known from {@link #register} until {@link #forget}, whatever becomes of its process or session;
 * a session that ends only marks it absent. Thread-safe; failures are {@code FsException}s, {@code UNAVAILABLE} when the
 * coordinator cannot be reached.
 */
public interface Coordinator extends AutoCloseable {
    /** Calls back with every change of the membership, in order, from now on; the watch stands before {@link #register} is sent. */
    void watch(Consumer<View> listener);

    /**
     * Makes this process's member known, with a fresh lease, and then reads the members: of two that register at once, one at least finds the
     * other.
     *
     * @return the members, this one among them; fails where it is not known whether the member is registered
     */
    CompletionStage<View> register(Member self);

    /** Reads the members afresh: everything registered before this call is among them. */
    CompletionStage<View> members();

    /**
     * Renews the lease, by a write that {@link #refuseRenewals} makes fail. The lease counts from the moment that this was called.
     *
     * @return completes when renewed; fails with {@code FENCED} when refused
     */
    CompletionStage<Void> renew(long epoch);

    /** First step of a fence: no renewal of this epoch succeeds after this completes. Idempotent. */
    CompletionStage<Void> refuseRenewals(long epoch);

    /** Last step of a fence or a leave: the member is gone from the membership. Idempotent. */
    CompletionStage<Void> forget(long epoch);

    /** The members' boxes, by which instances that cannot reach each other relay messages. Always the same object. */
    Mailboxes mailboxes();

    /** Ends the session with the coordinator. */
    @Override
    void close();
}
