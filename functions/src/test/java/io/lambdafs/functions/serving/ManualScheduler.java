package io.lambdafs.functions.serving;

import io.lambdafs.model.Scheduler;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.random.RandomGenerator;

/** Time that stands still until it is advanced; runs everything on the thread that asks or advances. Confined to one thread. */
final class ManualScheduler implements Scheduler {
    private record Task(long at, long order, Runnable run) implements Comparable<Task> {
        @Override
        public int compareTo(Task other) {
            return at == other.at ? Long.compare(order, other.order) : Long.compare(at, other.at);
        }
    }

    private final PriorityQueue<Task> tasks = new PriorityQueue<>();
    private final Random random = new Random(1);
    private long now = 12_345_678_901L;
    private long order;

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public long currentTimeMillis() {
        return 1_700_000_000_000L + now / 1_000_000;
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        Task timed = new Task(now + delayNanos, order++, task);
        tasks.add(timed);
        return () -> tasks.remove(timed);
    }

    @Override
    public RandomGenerator random() {
        return random;
    }

    @Override
    public void execute(Runnable command) {
        command.run();
    }

    void advanceMicros(long micros) {
        long end = now + micros * 1_000;
        while (!tasks.isEmpty() && tasks.peek().at() <= end) {
            Task next = tasks.remove();
            now = next.at();
            next.run().run();
        }
        now = end;
    }

    int waiting() {
        return tasks.size();
    }
}
