package io.lambdafs.rpc;

import io.lambdafs.model.time.Scheduler;
import java.security.SecureRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/** Base class of schedulers with the machine's clock and randomness; subclasses supply the threads. Thread-safe. */
public abstract class MachineScheduler implements Scheduler {
    /** Message of the {@code NOT_READY} for tasks after the end. */
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
     * The calling thread's generator mixed with a number of this scheduler: processes resumed from the same snapshot
     * share generators but must not draw the same ids.
     */
    private static final class SharedRandom implements RandomGenerator {
        private final long own = new SecureRandom().nextLong();

        @Override
        public long nextLong() {
            return ThreadLocalRandom.current().nextLong() ^ own;
        }
    }
}
