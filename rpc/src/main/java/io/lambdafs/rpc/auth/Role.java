package io.lambdafs.rpc.auth;

/**
 * What the holder of a token is. Each has its fixed number on the wire. Parts of λFS hold no tokens: they know each other by {@link
 * ServiceProof}.
 */
public enum Role {
    /** A user's program: may ask for operations on the file system. */
    CLIENT(1);

    private final int number;

    Role(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }
}
