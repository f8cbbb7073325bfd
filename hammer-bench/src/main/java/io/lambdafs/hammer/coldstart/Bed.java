package io.lambdafs.hammer.coldstart;

import io.lambdafs.cluster.terminal.Console;

/** A cluster whose instances start one at a time. Confined to one thread. */
interface Bed extends AutoCloseable {
    /** Opens a cluster. */
    @FunctionalInterface
    interface Factory {
        Bed open(Setup setup, Kind kind, Console console);
    }

    Setup setup();

    /** Makes the caller and the cluster's parts compile their code. */
    void warmUp() throws InterruptedException;

    /**
     * Starts an instance.
     *
     * @param counts whether the operations after the start are measured too
     */
    Start start(boolean counts) throws InterruptedException;

    @Override
    void close();
}
