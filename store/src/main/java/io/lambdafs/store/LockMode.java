package io.lambdafs.store;

/** The lock taken by a read. */
public enum LockMode {
    /** No lock; reads the last committed value. */
    NONE,
    /** Held until the transaction ends; conflicts with {@link #EXCLUSIVE}. */
    SHARED,
    /** Held until the transaction ends; conflicts with all locks. */
    EXCLUSIVE
}
