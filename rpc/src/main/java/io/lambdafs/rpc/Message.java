package io.lambdafs.rpc;

/** Anything that travels in a frame. Each class is registered with the {@link Codec} under a number that never changes. */
public interface Message {}
