package io.lambdafs.coordinator;

/**
 * What stays the same of an instance from epoch to epoch. Immutable.
 *
 * @param deployment 0-based
 * @param instance the platform's id of the instance; unique, for an invalidation channel tells by it whether it reached the right one
 */
public record InstanceIdentity(int deployment, String instance) {}
