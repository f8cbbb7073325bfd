package io.lambdafs.benchmarks.stores;

import java.nio.file.Path;
import java.util.Map;

/** Measures a database through its own client, with the rows of a λFS store. */
interface Raw {
    /** Returns operations per second of each supported kind. */
    Map<Kind, Double> perSecond(double seconds) throws InterruptedException;

    /**
     * Reads all INodes of the store and writes equally many elsewhere, in the fastest way available.
     *
     * @param folder folder for files
     */
    Copied copy(long inodes, Path folder) throws InterruptedException;

    /** Rates of a copy, in INodes per second. */
    record Copied(double read, double written) {}
}
