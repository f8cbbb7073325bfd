package io.lambdafs.store;

/** How a row is read. */
public enum LockMode {
    /** The last committed value; no lock. */
    NONE,
    /** Held until the transaction ends; conflicts with {@link #EXCLUSIVE}. */
    SHARED,
    /** Held until the transaction ends; conflicts with all locks. */
    EXCLUSIVE
}
