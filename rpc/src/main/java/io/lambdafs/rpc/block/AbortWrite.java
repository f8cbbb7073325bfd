package io.lambdafs.rpc.block;

import io.lambdafs.rpc.message.Message;

/** Ends a stream and drops its bytes. Answered by {@code Done}, even if there is no such stream. */
public record AbortWrite(long stream) implements Message {}
