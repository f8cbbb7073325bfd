package io.lambdafs.model;

import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Work that is done again and again: the first time after a pause, then each time a pause after it has ended, however it ended. What it fails with
 * is its own affair. What it throws goes to the scheduler's thread, which logs it; the work goes on, and says nothing
 * more of it until it has been begun without a throw. Thread-safe.
 */
public final class Chore implements AutoCloseable {
    private final Scheduler scheduler;
    private final LongSupplier pauseNanos;
    private final Supplier<? extends CompletionStage<?>> work;
    private volatile boolean closed;
    private volatile Scheduler.@Nullable Timer timer;
    /** Touched by one turn after the other. */
    private volatile boolean threw;

    /**
     * Makes one that has not begun.
     *
     * @param pauseNanos asked before each pause
     * @param work completes when it has been done once
     */
    public Chore(Scheduler scheduler, LongSupplier pauseNanos, Supplier<? extends CompletionStage<?>> work) {
        this.scheduler = scheduler;
        this.pauseNanos = pauseNanos;
        this.work = work;
    }

    /** Makes one that pauses for as long each time. */
    public static Chore every(long nanos, Scheduler scheduler, Supplier<? extends CompletionStage<?>> work) {
        return new Chore(scheduler, () -> nanos, work);
    }

    /** Makes one that pauses for up to half as long again, so that several do not keep step. */
    public static Chore everyAndABit(long nanos, Scheduler scheduler, Supplier<? extends CompletionStage<?>> work) {
        return new Chore(scheduler, () -> nanos + scheduler.random().nextLong(nanos / 2), work);
    }

    /** Begins, unless closed. It ends where the scheduler takes no more work. */
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

    /** Whether what is under way should end soon, and nothing begins any more. */
    public boolean isClosed() {
        return closed;
    }

    /** Begins no more; what is under way goes on. */
    @Override
    public void close() {
        closed = true;
        Scheduler.Timer pending = timer;
        if (pending != null) {
            pending.cancel();
        }
    }
}
