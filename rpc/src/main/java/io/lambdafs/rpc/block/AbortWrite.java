package io.lambdafs.rpc.block;

import io.lambdafs.rpc.Message;

/** Ends a stream and drops what it wrote. Answered by {@code Done}, also where there is no such stream. */
public record AbortWrite(long stream) implements Message {}
