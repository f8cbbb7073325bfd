package io.lambdafs.rpc;

/** A message in a frame. Each class is registered with the {@link Codec} under a permanent number. */
public interface Message {}
