package io.lambdafs.store;

import io.lambdafs.model.Scheduler;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.RejectedExecutionException;
import java.util.random.RandomGenerator;

/** Time that stands still until a script moves it. Not thread-safe. */
public class ManualScheduler implements Scheduler {
    private record Task(long at, long order, Runnable run) {}

    private final Deque<Runnable> ready = new ArrayDeque<>();
    private final PriorityQueue<Task> timers = new PriorityQueue<>(
            (a, b) -> a.at() != b.at() ? Long.compare(a.at(), b.at()) : Long.compare(a.order(), b.order()));
    private final Random random;
    private long now;
    private long order;
    private boolean refusing;

    public ManualScheduler(long seed) {
        random = new Random(seed);
    }

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public long currentTimeMillis() {
        return now / 1_000_000;
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        if (refusing) {
            throw new RejectedExecutionException("closed");
        }
        Task entry = new Task(now + delayNanos, order++, task);
        timers.add(entry);
        return () -> timers.remove(entry);
    }

    @Override
    public RandomGenerator random() {
        return random;
    }

    @Override
    public void execute(Runnable command) {
        ready.add(command);
    }

    /** Takes no timers from now on, as one that has closed, or takes them again. */
    public void refuse(boolean refuses) {
        refusing = refuses;
    }

    /** Runs what is ready, and what becomes ready by it. */
    public void run() {
        for (Runnable next = ready.poll(); next != null; next = ready.poll()) {
            next.run();
        }
    }

    /** Moves time, running every timer that is due on the way. */
    public void advance(long nanos) {
        long end = now + nanos;
        run();
        for (Task next = timers.peek(); next != null && next.at() <= end; next = timers.peek()) {
            timers.remove(next);
            now = next.at();
            next.run().run();
            run();
        }
        now = end;
    }

    public int timers() {
        return timers.size();
    }
}
