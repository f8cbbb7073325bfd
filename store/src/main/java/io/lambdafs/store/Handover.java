package io.lambdafs.store;

import io.lambdafs.model.Scheduler;

/** Runs on a scheduler what must run whatever happens: the answers to requests that were taken. Stateless. */
public final class Handover {
    private static final long AGAIN_NANOS = 1_000_000;

    private Handover() {}

    /** Runs a task on the scheduler's executor: later where that is full, on this thread where it has closed. */
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
