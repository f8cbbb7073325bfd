package io.lambdafs.cluster.dump;

/** Receives the progress of a dump or a load. Called by one thread at a time. */
@FunctionalInterface
public interface Progress {
    /**
     * Reports the number of rows done.
     *
     * @param what the activity, in a word
     * @param all the number of all rows; 0 if unknown
     */
    void at(String what, long rows, long all);
}
