package io.lambdafs.functions.cache;

/**
 * Permission to publish what is read from the store after it was taken, as long as no invalidation covers it (PROTOCOL: R7).
 * Immutable.
 *
 * @param generation of the cache: changes when it is cleared or opened
 * @param logged paths invalidated before the ticket was taken
 */
public record Ticket(long generation, long logged) {}
