package io.lambdafs.coordinator;

import io.lambdafs.rpc.message.Message;

/** Announces a newcomer; answered by an {@link Acknowledgement} once it is in the receiver's view. */
public record Greeting(Member newcomer) implements Message {}
