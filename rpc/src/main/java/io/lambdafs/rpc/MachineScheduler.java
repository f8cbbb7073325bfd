package io.lambdafs.rpc;

import io.lambdafs.model.Scheduler;
import java.security.SecureRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/** The machine's own time and randomness, for schedulers that differ in the threads that run their tasks. Thread-safe. */
public abstract class MachineScheduler implements Scheduler {
    /** Why what comes after the end is refused, with {@code NOT_READY}. */
    protected static final String STOPPING = "this process is stopping: ask another";

    private final RandomGenerator random = new SharedRandom();

    @Override
    public final long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public final long currentTimeMillis() {
        return System.currentTimeMillis();
    }

    @Override
    public final RandomGenerator random() {
        return random;
    }

    /**
     * The calling thread's generator, and a number of this scheduler's own: processes that go on from one snapshot have the same generators,
     * and must not draw the same ids.
     */
    private static final class SharedRandom implements RandomGenerator {
        private final long own = new SecureRandom().nextLong();

        @Override
        public long nextLong() {
            return ThreadLocalRandom.current().nextLong() ^ own;
        }
    }
}
