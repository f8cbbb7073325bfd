package io.lambdafs.systemtests.chaos;

/** One fault to one victim: is done, lasts, and is undone. Used by one thread; cleaned up after in any case. */
interface Hit {
    /** Does it. */
    void begin() throws Exception;

    /**
     * Undoes it, after a time.
     *
     * @return false where its victim ended by itself before anything could be seen: it does not count
     * @throws AssertionError if it did nothing, or its victim does not recover
     */
    boolean end() throws Exception;

    /** Returns whether its victim does not go on. */
    default boolean isForGood() {
        return false;
    }

    /** Returns whether a service is gone, and to be started with the cluster's own command. */
    default boolean leavesServiceToStart() {
        return false;
    }

    /** Leaves nothing behind, whatever went wrong. */
    default void cleanUp() throws Exception {}
}
