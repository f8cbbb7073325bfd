package io.lambdafs.rpc;

/** Success with nothing to say. */
public record Done() implements Message {
    public static final Done DONE = new Done();
}
