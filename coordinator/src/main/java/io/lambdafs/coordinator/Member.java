package io.lambdafs.coordinator;

import io.lambdafs.model.Placement;

/**
 * One live instance under one epoch. Immutable.
 *
 * @param epoch given by the store at the join; rises
 * @param deployment 0-based
 * @param instance the platform's id of the instance
 * @param host where it listens for other instances
 * @param port 0 where instances cannot reach each other
 * @param caches whether it may cache anything under this epoch; if not, it need not be told what changes, but for subtree operations, which
 *     wait for what it has under way
 * @param generation of the {@link Placement} under which it joined: members of two of them do not serve at one time
 */
public record Member(
        long epoch, int deployment, String instance, String host, int port, boolean caches, int generation) {
    /** A member of a file system as it was formatted. */
    public Member(long epoch, int deployment, String instance, String host, int port, boolean caches) {
        this(epoch, deployment, instance, host, port, caches, Placement.FIRST_GENERATION);
    }
}
