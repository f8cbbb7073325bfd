package io.lambdafs.rpc.idle;

import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Spin-then-park for a thread that waits for a reply. On a busy machine the thread yields: by the time it runs again
 * the reply is often there, which saves a park and an unpark. On an idle machine it spins for as long as a cached reply
 * takes, because waking a sleeping processor can take longer than that. If recent replies took longer, as those of
 * writes do, it parks at once. One per process; thread-safe.
 */
public final class SpinThenPark {
    /** Yields before the thread parks. */
    static final int MAX_TURNS = 32;
    /** A yield that returns within this time gave the processor to no other thread. */
    static final long NO_TURN_NANOS = 2_000;
    /** The maximum spin on an idle processor: nearly all cached replies from the same machine arrive by then. */
    static final long NEAR_NANOS = 100_000;
    /** The number of vain spins that one timely reply makes up for. */
    private static final int FOUND = 2;

    private final Semaphore places;
    private final LongSupplier nanoTime;
    private final Runnable giveTurn;
    private final Credit looks = Credit.full(FOUND);

    /**
     * Creates the strategy for one process.
     *
     * @param places the maximum number of threads that yield at a time, because a yielding thread still occupies the
     *     run queue; the rest park at once
     * @param giveTurn yields the processor
     */
    public SpinThenPark(int places, LongSupplier nanoTime, Runnable giveTurn) {
        this.places = new Semaphore(places);
        this.nanoTime = nanoTime;
        this.giveTurn = giveTurn;
    }

    /** Spins or yields for a bounded time; the caller checks again afterwards whether it is done. */
    public void until(BooleanSupplier done) {
        if (done.getAsBoolean() || !places.tryAcquire()) {
            return;
        }
        try {
            giveTurns(done);
        } finally {
            places.release();
        }
    }

    private void giveTurns(BooleanSupplier done) {
        long begun = nanoTime.getAsLong();
        long before = begun;
        boolean looking = false;
        for (int turns = 0; turns < MAX_TURNS && !done.getAsBoolean(); ) {
            giveTurn.run();
            long now = nanoTime.getAsLong();
            if (now - before >= NO_TURN_NANOS) {
                turns++;
            } else if (!looking && !looks.isWorthIt()) {
                return;
            } else if (now - begun > NEAR_NANOS) {
                looks.failed();
                return;
            } else {
                looking = true;
            }
            before = now;
        }
        if (looking) {
            looks.succeeded();
        }
    }
}
