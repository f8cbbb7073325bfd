package io.lambdafs.functions.housekeeping;

/** A background task of an instance. Implementations are thread-safe. */
public interface Housekeeper extends AutoCloseable {
    /** Starts the task unless it is closed. */
    void start();

    /** Begins no further work; never blocks. */
    @Override
    void close();
}
