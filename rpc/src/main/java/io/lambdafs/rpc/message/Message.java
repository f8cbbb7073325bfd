package io.lambdafs.rpc.message;

/** A message in a frame. Each class is registered with the {@link Codec} under a permanent number. */
public interface Message {}
