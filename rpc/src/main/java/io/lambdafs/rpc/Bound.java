package io.lambdafs.rpc;

/** The handle under which requests on this connection name the identity. */
public record Bound(int principal) implements Message {}
