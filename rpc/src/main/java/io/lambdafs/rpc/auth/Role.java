package io.lambdafs.rpc.auth;

/** What the holder of a token is. Each has its fixed number on the wire. */
public enum Role {
    /** A user's program: may ask for operations on the file system. */
    CLIENT(1),
    /** A part of λFS itself: may speak to the store and to other instances too. */
    SERVICE(2);

    private final int number;

    Role(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }
}
