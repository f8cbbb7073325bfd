package io.lambdafs.rpc.message;

/**
 * Proves an identity on a connection, by a signed token (see {@code io.lambdafs.rpc.auth}). Answered by {@link Bound}
 * or {@link Failed}.
 */
public record Bind(String token) implements Message {
    /** Omits the token, which is a secret. */
    @Override
    public String toString() {
        return "Bind[]";
    }
}
