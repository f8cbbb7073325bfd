package io.lambdafs.store.lock;

import io.lambdafs.model.time.Scheduler;

/** Hands tasks to a scheduler that must not be dropped: replies to accepted requests. Stateless. */
public final class Handover {
    private static final long AGAIN_NANOS = 1_000_000;

    private Handover() {}

    /** Runs a task on the scheduler's executor: later if it is full, on the calling thread if it is closed. */
    public static void to(Scheduler scheduler, Runnable task) {
        try {
            scheduler.execute(task);
        } catch (RuntimeException full) {
            again(scheduler, task);
        }
    }

    private static void again(Scheduler scheduler, Runnable task) {
        try {
            scheduler.schedule(AGAIN_NANOS, task);
        } catch (RuntimeException closed) {
            task.run();
        }
    }
}
