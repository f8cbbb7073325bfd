package io.lambdafs.store.database;

import io.lambdafs.model.FsException;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.ReadPool;
import io.lambdafs.store.Row;
import io.lambdafs.store.RowSnapshot;
import io.lambdafs.store.Scan;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * A database that a store keeps its rows in, and the right to change it. It has one row that says who holds it: an incarnation, which each
 * taking raises, and the number of the last group of commits (PROTOCOL: D1, D2). {@link #read} and {@link #scan} may be called by many threads
 * at once; all else is confined to one thread at a time. They block.
 */
public interface Database extends AutoCloseable {
    /** Without a group that was committed the database may be another process's. */
    Duration LEASE = Duration.ofSeconds(5);
    /** Longer than the lease by what clocks may differ, and longer than any instance's lease, which is shorter than a coordinator's session. */
    Duration LEASE_OVER = Duration.ofSeconds(6);

    /** By so much numbers go on where a database came back older: more than are given out meanwhile (PROTOCOL: D6). */
    long SKIPPED = 1L << 24;

    /** Waits until nobody answers from what a server confirmed that had the database before (PROTOCOL: D4, D7). */
    static void awaitLeases() {
        long until = System.nanoTime() + LEASE_OVER.toNanos();
        while (System.nanoTime() - until < 0) {
            DatabaseCommits.pause();
        }
    }

    /**
     * Takes the database, anew where this process had it. Makes the tables that are not there, and waits for what still writes, and for the
     * lease of a process that did not leave in order. Of one that may have come back older it ends all epochs, and waits for their leases.
     *
     * @return the number of the last group that was committed
     * @throws DatabaseLostException it cannot be reached; it may be tried again
     * @throws FsException {@code UNAVAILABLE}: another process has it, or it cannot be used; {@code INVALID_ARGUMENT}: it is another
     *     cluster's, or of another format
     * @throws DatabaseGoneError another process has taken it since this one did, or it has lost commits that it had acknowledged
     */
    long take() throws DatabaseLostException;

    /** Whether it has been taken and not been lost since. */
    boolean isTaken();

    /**
     * Makes a group of commits, in their order, durable and visible at once, together with its number, under the incarnation of the last {@link
     * #take}.
     *
     * @return how many rows were changed
     * @throws DatabaseLostException the group may have been made, or may still be; the database is not taken any more
     * @throws FsException nothing of it was made
     * @throws DatabaseGoneError nothing was made: another process has taken the database
     */
    int write(long number, List<List<Mutation>> group) throws DatabaseLostException;

    /**
     * Reads committed rows of one moment; what is not there is not in the map.
     *
     * @throws DatabaseLostException it may be tried again at once
     */
    Map<Key, Row> read(Collection<Key> keys) throws DatabaseLostException;

    /**
     * Reads a page of one moment.
     *
     * @throws DatabaseLostException it may be tried again at once
     */
    List<Row> scan(Scan scan) throws DatabaseLostException;

    /**
     * Takes a snapshot. One that is put together from what this process changes holds while the database is this process's.
     *
     * @param readers threads that its pages are read on
     */
    RowSnapshot snapshot(ReadPool readers);

    /** Gives the database back in order, so that who takes it next need not wait, and ends the connections. */
    @Override
    void close();
}
