package io.lambdafs.functions.namenode;

import io.lambdafs.model.time.Scheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.random.RandomGenerator;

/** One process's view of a scheduler: while frozen nothing of it runs, but its clock goes on; its wall clock may be off. Not thread-safe. */
final class FreezableScheduler implements Scheduler {
    private final Scheduler scheduler;
    private final Deque<Runnable> missed = new ArrayDeque<>();
    private boolean frozen;
    private long aheadMillis;

    FreezableScheduler(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    void setWallClockAhead(Duration by) {
        aheadMillis = by.toMillis();
    }

    void freeze() {
        frozen = true;
    }

    void thaw() {
        frozen = false;
        while (!missed.isEmpty()) {
            scheduler.execute(missed.poll());
        }
    }

    private Runnable unlessFrozen(Runnable task) {
        return () -> {
            if (frozen) {
                missed.add(task);
            } else {
                task.run();
            }
        };
    }

    @Override
    public long nanoTime() {
        return scheduler.nanoTime();
    }

    @Override
    public long currentTimeMillis() {
        return scheduler.currentTimeMillis() + aheadMillis;
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        return scheduler.schedule(delayNanos, unlessFrozen(task));
    }

    @Override
    public RandomGenerator random() {
        return scheduler.random();
    }

    @Override
    public void execute(Runnable command) {
        scheduler.execute(unlessFrozen(command));
    }
}
