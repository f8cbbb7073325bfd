package io.lambdafs.coordinator.testkit;

import io.lambdafs.model.time.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** One process's share of a scheduler: while it is frozen nothing of it runs; what fell due meanwhile runs at the thaw. */
public final class ProcessScheduler implements Scheduler {
    private final Scheduler clock;
    private final List<Runnable> held = new ArrayList<>();
    private boolean frozen;
    private boolean dead;

    public ProcessScheduler(Scheduler clock) {
        this.clock = clock;
    }

    public synchronized void freeze() {
        frozen = true;
    }

    public void thaw() {
        List<Runnable> due;
        synchronized (this) {
            frozen = false;
            due = List.copyOf(held);
            held.clear();
        }
        due.forEach(this::execute);
    }

    /** Nothing of this process runs any more. */
    public synchronized void kill() {
        dead = true;
    }

    private void run(Runnable task) {
        synchronized (this) {
            if (dead) {
                return;
            }
            if (frozen) {
                held.add(task);
                return;
            }
        }
        task.run();
    }

    @Override
    public long nanoTime() {
        return clock.nanoTime();
    }

    @Override
    public long currentTimeMillis() {
        return clock.currentTimeMillis();
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        return clock.schedule(delayNanos, () -> run(task));
    }

    @Override
    public RandomGenerator random() {
        return clock.random();
    }

    @Override
    public void execute(Runnable task) {
        clock.execute(() -> run(task));
    }
}
