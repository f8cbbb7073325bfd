package io.lambdafs.hammer.grid;

import io.lambdafs.hammer.Latency;
import io.lambdafs.hammer.Target;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Operation;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.HdrHistogram.ConcurrentHistogram;

/**
 * Keeps one operation in flight for each client: a client's next one starts when the previous one is answered. Used by
 * one thread.
 */
final class ClosedLoop {
    private static final long MAX_MICROS = 600_000_000;
    private static final int KEPT = 5;

    private final Target target;
    private final int clients;
    private final Semaphore room;
    private final ConcurrentHistogram micros = new ConcurrentHistogram(MAX_MICROS, 3);
    private final AtomicLong failed = new AtomicLong();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();

    ClosedLoop(Target target, int clients) {
        this.target = target;
        this.clients = clients;
        this.room = new Semaphore(clients);
    }

    /**
     * Sends operations until their number or the time is reached; then waits for the last answers.
     *
     * @param from number of the first operation
     * @return seconds that this took
     */
    double run(long from, long most, double seconds, LongFunction<Operation<?>> operations)
            throws InterruptedException {
        long start = System.nanoTime();
        long end = start + (long) (seconds * 1e9);
        for (long i = from; i < from + most && System.nanoTime() < end; i++) {
            room.acquire();
            long began = System.nanoTime();
            target.execute(operations.apply(i)).whenComplete((reply, thrown) -> {
                micros.recordValue(Math.min(MAX_MICROS, (System.nanoTime() - began) / 1_000));
                if (thrown != null && failed.incrementAndGet() <= KEPT) {
                    failures.add(String.valueOf(FsException.of(thrown).getMessage()));
                }
                room.release();
            });
        }
        room.acquire(clients);
        room.release(clients);
        return (System.nanoTime() - start) / 1e9;
    }

    Latency latency() {
        return Latency.of(micros);
    }

    long failed() {
        return failed.get();
    }

    /** Returns descriptions of the first failures. */
    Iterable<String> failures() {
        return failures;
    }
}
