package io.lambdafs.cluster.dump;

/** Is told how far a dump or a load has come. Called by one thread at a time. */
@FunctionalInterface
public interface Progress {
    /**
     * So many rows are done.
     *
     * @param what is being done, in a word
     * @param all how many there are; 0 where that is not known
     */
    void at(String what, long rows, long all);
}
