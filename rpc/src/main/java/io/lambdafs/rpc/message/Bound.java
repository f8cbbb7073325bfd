package io.lambdafs.rpc.message;

/** The reply to {@link Bind}: a handle by which requests on this connection refer to the identity. */
public record Bound(int principal) implements Message {}
