package io.lambdafs.store;

/** The lock that a read takes. */
public enum LockMode {
    /** The last committed value; no lock. */
    NONE,
    /** Held until the transaction ends; conflicts with {@link #EXCLUSIVE}. */
    SHARED,
    /** Held until the transaction ends; conflicts with all locks. */
    EXCLUSIVE
}
