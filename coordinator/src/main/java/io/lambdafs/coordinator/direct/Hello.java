package io.lambdafs.coordinator.direct;

import io.lambdafs.rpc.Message;

/**
 * Names the instance that a connection is meant for, once, before anything else: addresses are used again by others, whose ACK would
 * be worth nothing. Answered by {@link io.lambdafs.rpc.Done} or {@link io.lambdafs.rpc.Failed}.
 */
record Hello(String instance) implements Message {}
