package io.lambdafs.coordinator;

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
 */
public record Member(long epoch, int deployment, String instance, String host, int port, boolean caches) {}
