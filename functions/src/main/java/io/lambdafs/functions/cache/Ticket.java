package io.lambdafs.functions.cache;

/**
 * Permission to publish items read from the store after it was taken, unless an invalidation covers them (PROTOCOL:
 * R7). Immutable.
 *
 * @param generation of the cache, which changes when it is cleared or opened
 * @param logged number of paths invalidated before the ticket was taken
 */
public record Ticket(long generation, long logged) {}
