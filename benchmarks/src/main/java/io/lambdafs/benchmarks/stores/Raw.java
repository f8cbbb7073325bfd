package io.lambdafs.benchmarks.stores;

import java.nio.file.Path;
import java.util.Map;

/** A database by its own client, with the rows that a store keeps there. */
interface Raw {
    /** Operations a second of those kinds that it can do. */
    Map<Kind, Double> perSecond(double seconds) throws InterruptedException;

    /**
     * Reads all INodes of the store, and writes as many elsewhere, in the quickest way there is.
     *
     * @param folder for files
     */
    Copied copy(long inodes, Path folder) throws InterruptedException;

    /** INodes a second. */
    record Copied(double read, double written) {}
}
