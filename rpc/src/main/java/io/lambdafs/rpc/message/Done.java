package io.lambdafs.rpc.message;

/** A successful reply without content. */
public record Done() implements Message {
    public static final Done DONE = new Done();
}
