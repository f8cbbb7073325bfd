package io.lambdafs.rpc.auth;

/**
 * The role of a token's holder. Each has a fixed number on the wire. λFS's services hold no tokens: they authenticate
 * each other by {@link ServiceProof}.
 */
public enum Role {
    /** A user's program, which may request file system operations. */
    CLIENT(1);

    private final int number;

    Role(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }
}
