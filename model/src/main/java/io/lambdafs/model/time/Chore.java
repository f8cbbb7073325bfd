package io.lambdafs.model.time;

import io.lambdafs.model.FsException;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A recurring background task with a fixed delay: it first runs after a pause, then again a pause after each run ends,
 * however it ended. Failed stages are ignored. An exception thrown by the task goes to the scheduler's thread, which
 * logs it; the chore continues, and further throws are dropped until a run starts without one. Thread-safe.
 */
public final class Chore implements AutoCloseable {
    private final Scheduler scheduler;
    private final LongSupplier pauseNanos;
    private final Supplier<? extends CompletionStage<?>> work;
    private volatile boolean closed;
    private volatile Scheduler.@Nullable Timer timer;
    /** Accessed by one run at a time. */
    private volatile boolean threw;

    /**
     * Creates a chore that has not started.
     *
     * @param pauseNanos queried before each pause
     * @param work one run; its stage completes when the run ends
     */
    public Chore(Scheduler scheduler, LongSupplier pauseNanos, Supplier<? extends CompletionStage<?>> work) {
        this.scheduler = scheduler;
        this.pauseNanos = pauseNanos;
        this.work = work;
    }

    /** Creates a chore with a constant pause. */
    public static Chore every(long nanos, Scheduler scheduler, Supplier<? extends CompletionStage<?>> work) {
        return new Chore(scheduler, () -> nanos, work);
    }

    /** Creates a chore whose pause is randomly up to half longer, so that several do not run in step. */
    public static Chore everyAndABit(long nanos, Scheduler scheduler, Supplier<? extends CompletionStage<?>> work) {
        return new Chore(scheduler, () -> nanos + scheduler.random().nextLong(nanos / 2), work);
    }

    /** Starts the chore unless it is closed. It ends when the scheduler rejects work. */
    public void start() {
        if (closed) {
            return;
        }
        Scheduler.Essential turn = this::turn;
        try {
            timer = scheduler.schedule(pauseNanos.getAsLong(), turn);
        } catch (FsException stopping) {
            timer = null;
        }
    }

    private void turn() {
        CompletionStage<?> stage;
        try {
            stage = work.get();
        } catch (RuntimeException | Error thrown) {
            start();
            if (threw) {
                return;
            }
            threw = true;
            throw thrown;
        }
        threw = false;
        stage.whenComplete((done, failure) -> start());
    }

    /** Returns whether the chore is closed: no run starts any more, and the current one should end soon. */
    public boolean isClosed() {
        return closed;
    }

    /** Starts no further runs; a current one goes on. */
    @Override
    public void close() {
        closed = true;
        Scheduler.Timer pending = timer;
        if (pending != null) {
            pending.cancel();
        }
    }
}
