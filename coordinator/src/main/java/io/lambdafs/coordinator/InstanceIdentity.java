package io.lambdafs.coordinator;

/**
 * An instance's identity, constant across its epochs. Immutable.
 *
 * @param deployment 0-based
 * @param instance the platform's id of the instance; unique, because an invalidation channel uses it to check that it
 *     reached the right one
 */
public record InstanceIdentity(int deployment, String instance) {}
