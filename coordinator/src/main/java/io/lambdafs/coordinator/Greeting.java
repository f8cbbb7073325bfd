package io.lambdafs.coordinator;

import io.lambdafs.rpc.Message;

/** A newcomer makes itself known; answered by an {@link Acknowledgement} once it is in the other's view. */
public record Greeting(Member newcomer) implements Message {}
