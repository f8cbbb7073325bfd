package io.lambdafs.client;

import io.lambdafs.rpc.Credit;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * What a thread does before it goes to sleep until an answer comes: it gives its turn away for a while. Where all processors are busy,
 * those who are to answer wait for one as others do: when the thread's turn comes again the answer may be there, and nobody had to put it
 * to sleep and to wake it. Where a processor is free the thread keeps it awake for as long as a cached answer takes, for to wake one up may
 * take longer than the answer does; unless answers lately took longer, as those of writes do, and the time is wasted. One for the process;
 * thread-safe.
 */
final class AwakeWait {
    /** Turns of other threads for which an answer is waited for. */
    static final int MAX_TURNS = 32;
    /** Who has the processor again so soon has given it to nobody. */
    static final long NO_TURN_NANOS = 2_000;
    /** For so long a free processor is kept awake: nearly all cached answers of the same machine have come by then. */
    static final long NEAR_NANOS = 100_000;
    /** An answer that came is worth so many that did not. */
    private static final int FOUND = 2;

    private final Semaphore places;
    private final LongSupplier nanoTime;
    private final Runnable giveTurn;
    private final Credit looks = Credit.full(FOUND);

    /**
     * A way to wait.
     *
     * @param places threads at most that wait like that, for who gives his turn away still waits for a processor, and others behind him;
     *     the rest sleep at once
     * @param giveTurn lets others run
     */
    AwakeWait(int places, LongSupplier nanoTime, Runnable giveTurn) {
        this.places = new Semaphore(places);
        this.nanoTime = nanoTime;
        this.giveTurn = giveTurn;
    }

    /** Waits for a while at most; whether it is done by then its caller asks again. */
    void until(BooleanSupplier done) {
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
