package io.lambdafs.coordinator;

import io.lambdafs.model.operation.Placement;

/**
 * One live instance under one epoch. Immutable.
 *
 * @param epoch assigned by the store at the join; increasing
 * @param deployment 0-based
 * @param instance the platform's id of the instance
 * @param host at which it listens for other instances
 * @param port 0 if instances cannot reach each other
 * @param caches whether it may cache anything under this epoch; if not, it needs no INVs except for subtree operations,
 *     which wait for its operations in flight
 * @param generation of the {@link Placement} at its join: members of two generations never serve at the same time
 */
public record Member(
        long epoch, int deployment, String instance, String host, int port, boolean caches, int generation) {
    /** A member in the first generation. */
    public Member(long epoch, int deployment, String instance, String host, int port, boolean caches) {
        this(epoch, deployment, instance, host, port, caches, Placement.FIRST_GENERATION);
    }
}
