package io.lambdafs.rpc.message;

/**
 * A reply whose sender accounts for its memory.
 *
 * @param message the reply itself
 * @param taken run once, when the transport has taken the reply's bytes or dropped it; must be quick
 */
public record Charged(Message message, Runnable taken) implements Message {}
