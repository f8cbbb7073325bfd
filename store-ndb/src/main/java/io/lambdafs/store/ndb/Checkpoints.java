package io.lambdafs.store.ndb;

import com.mysql.ndbjtie.ndbapi.NdbTransaction;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.store.database.DatabaseLostException;

/**
 * Waits for NDB's global checkpoints. Each transaction belongs to one, by a number that rises; NDB begins a new one
 * only when the one before the last is on the disks of all data nodes. So a commit in checkpoint n + 2 proves that
 * checkpoint n is there. Stateless.
 */
final class Checkpoints {
    /** The distance in checkpoints after which an earlier one is on the disks. */
    private static final long LATER = 2;
    /** NDB reports a transaction's checkpoint, and in the lower bits its part of the checkpoint. */
    private static final int PART_BITS = 32;

    private static final long POLL_MILLIS = 5;

    private Checkpoints() {}

    /** Commits any change, and returns {@link #of} it. */
    @FunctionalInterface
    interface Probe {
        long commit() throws DatabaseLostException;
    }

    /** Returns the checkpoint of a committed transaction that made a change. */
    static long of(NdbTransaction committed) throws DatabaseLostException {
        long[] number = new long[1];
        if (committed.getGCI(number) != 0) {
            throw new DatabaseLostException(
                    FsException.unavailable("NDB does not say to which checkpoint a commit belongs"));
        }
        return number[0] >>> PART_BITS;
    }

    /**
     * Blocks until a checkpoint is on the disks of all data nodes.
     *
     * @return the duration of the following checkpoint in nanoseconds, as a measure of their pace
     * @throws DatabaseLostException it may be there, or may be lost with all data nodes
     */
    static long await(long checkpoint, Probe probe) throws DatabaseLostException {
        long next = 0;
        while (true) {
            long now = probe.commit();
            if (now >= checkpoint + LATER) {
                return next == 0 ? 0 : System.nanoTime() - next;
            }
            if (now > checkpoint && next == 0) {
                next = System.nanoTime();
            }
            pause();
        }
    }

    private static void pause() throws DatabaseLostException {
        try {
            Thread.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DatabaseLostException(
                    new FsException(ErrorCode.INTERRUPTED, "interrupted while waiting for NDB's checkpoint", e));
        }
    }
}
