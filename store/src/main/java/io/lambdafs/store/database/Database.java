package io.lambdafs.store.database;

import io.lambdafs.model.FsException;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.RowSnapshot;
import io.lambdafs.store.Scan;
import io.lambdafs.store.engine.ReadPool;
import java.time.Duration;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * A database that holds a store's rows, with exclusive ownership. One row records the owner: an incarnation, raised
 * each time the database is taken, and the number of the last group of commits (PROTOCOL: D1, D2). All methods block.
 * {@link #read} and {@link #scan} are thread-safe; the others are confined to one thread at a time.
 */
public interface Database extends AutoCloseable {
    /** The ownership lease: without a commit for this long, the database may belong to another process. */
    Duration LEASE = Duration.ofSeconds(5);
    /**
     * Exceeds the lease by the clock drift, and exceeds any instance's lease, which is shorter than a coordinator's
     * session.
     */
    Duration LEASE_OVER = Duration.ofSeconds(6);

    /**
     * How far sequences skip ahead after a database came back older: more than can have been issued meanwhile
     * (PROTOCOL: D6).
     */
    long SKIPPED = 1L << 24;

    /** Waits until every lease that a previous owner confirmed is over (PROTOCOL: D4, D7). */
    static void awaitLeases() {
        long until = System.nanoTime() + LEASE_OVER.toNanos();
        while (System.nanoTime() - until < 0) {
            DatabaseCommits.pause();
        }
    }

    /**
     * Takes ownership of the database, or retakes it. Creates missing tables; waits for writes still in progress and
     * for the lease of an owner that did not leave in order. If the database may have come back older, ends all epochs
     * and waits for their leases.
     *
     * @return the number of the last group that was committed
     * @throws DatabaseLostException if it cannot be reached; may be retried
     * @throws FsException {@code UNAVAILABLE}: another process has it, or it cannot be used; {@code INVALID_ARGUMENT}: it is another
     *     cluster's, or of another format
     * @throws DatabaseGoneError another process has taken it since this one did, or it has lost commits that it had acknowledged
     */
    long take() throws DatabaseLostException;

    /** Returns whether the database is taken and not lost since. */
    boolean isTaken();

    /**
     * Makes a group of commits, in their order, durable and visible at once, together with its number, under the incarnation of the last {@link
     * #take}.
     *
     * @param refused set to the places of the commits that a quota does not admit and that are not made; if the outcome is unknown,
     *     of those that would not be
     * @return how many rows were changed
     * @throws DatabaseLostException the group may have been made, or may still be; the database is not taken any more
     * @throws FsException nothing of it was made
     * @throws DatabaseGoneError nothing was made: another process has taken the database
     */
    int write(long number, List<List<Mutation>> group, BitSet refused) throws DatabaseLostException;

    /**
     * Reads committed rows at one moment; missing rows are absent from the map.
     *
     * @throws DatabaseLostException may be retried at once
     */
    Map<Key, Row> read(Collection<Key> keys) throws DatabaseLostException;

    /**
     * Reads a page at one moment.
     *
     * @throws DatabaseLostException may be retried at once
     */
    List<Row> scan(Scan scan) throws DatabaseLostException;

    /**
     * Takes a snapshot. One assembled from this process's changes is valid only while this process owns the database.
     *
     * @param readers threads for reading its pages
     */
    RowSnapshot snapshot(ReadPool readers);

    /** Releases the database in order, so that the next owner need not wait, and closes the connections. */
    @Override
    void close();
}
