package io.lambdafs.client;

import io.lambdafs.model.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** Time that passes when the test says so; tasks run on the calling thread. Not thread-safe. */
final class ManualScheduler implements Scheduler {
    private static final class Task implements Timer {
        private final long atNanos;
        private final Runnable work;
        private boolean cancelled;

        Task(long atNanos, Runnable work) {
            this.atNanos = atNanos;
            this.work = work;
        }

        @Override
        public void cancel() {
            cancelled = true;
        }
    }

    private final RandomGenerator random = seeded(1);
    private final List<Task> tasks = new ArrayList<>();
    private long now = 1_000_000_000L;

    static RandomGenerator seeded(long seed) {
        return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    }

    /** Lets time pass, and runs what becomes due, in order. */
    void advance(Duration time) {
        long end = now + time.toNanos();
        while (true) {
            Task next = tasks.stream()
                    .filter(task -> !task.cancelled && task.atNanos <= end)
                    .min(Comparator.comparingLong(task -> task.atNanos))
                    .orElse(null);
            if (next == null) {
                now = end;
                return;
            }
            now = next.atNanos;
            tasks.remove(next);
            next.work.run();
        }
    }

    /** The process stands still: time goes on, and what became due meanwhile runs once at the end of it. */
    void stall(Duration time) {
        now += time.toNanos();
        List<Task> due = tasks.stream()
                .filter(task -> !task.cancelled && task.atNanos <= now)
                .sorted(Comparator.comparingLong(task -> task.atNanos))
                .toList();
        tasks.removeAll(due);
        due.forEach(task -> task.work.run());
    }

    long pending() {
        return tasks.stream().filter(task -> !task.cancelled).count();
    }

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public long currentTimeMillis() {
        return 1_700_000_000_000L + now / 1_000_000;
    }

    @Override
    public Timer schedule(long delayNanos, Runnable work) {
        Task task = new Task(now + delayNanos, work);
        tasks.add(task);
        return task;
    }

    @Override
    public RandomGenerator random() {
        return random;
    }

    @Override
    public void execute(Runnable work) {
        work.run();
    }
}
