package io.lambdafs.model.testkit;

import io.lambdafs.model.time.Scheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** Time that stands still until a test moves it; runs everything on the thread that moves it. Not thread-safe. */
public class ManualScheduler implements Scheduler {
    private record Task(long at, long order, Runnable run) {}

    private final Deque<Runnable> ready = new ArrayDeque<>();
    private final PriorityQueue<Task> timers = new PriorityQueue<>(
            (a, b) -> a.at() != b.at() ? Long.compare(a.at(), b.at()) : Long.compare(a.order(), b.order()));
    private final RandomGenerator random;
    private final boolean isDirect;
    private final long epochMillis;
    private long now;
    private long order;
    private boolean refusing;

    private ManualScheduler(long seed, boolean isDirect, long now, long epochMillis) {
        this.random = seeded(seed);
        this.isDirect = isDirect;
        this.now = now;
        this.epochMillis = epochMillis;
    }

    /** Keeps what it is to execute until {@link #run} or {@link #advance}; its clocks begin at 0. */
    public ManualScheduler(long seed) {
        this(seed, false, 0, 0);
    }

    /** Executes at once what it is given; its clocks begin at times of their own. */
    public ManualScheduler() {
        this(1, true, 12_345_678_901L, 1_700_000_000_000L);
    }

    /** Returns a source of randomness whose first values differ between neighbouring seeds. */
    public static RandomGenerator seeded(long seed) {
        return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    }

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public long currentTimeMillis() {
        return epochMillis + now / 1_000_000;
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
        if (isDirect) {
            command.run();
        } else {
            ready.add(command);
        }
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
    public void advance(Duration time) {
        advance(time.toNanos());
    }

    /** Moves time, running every timer that is due on the way. */
    public void advance(long nanos) {
        long end = now + nanos;
        run();
        for (Task next = timers.peek(); next != null && next.at() <= end; next = timers.peek()) {
            timers.remove(next);
            now = Math.max(now, next.at());
            next.run().run();
            run();
        }
        now = end;
    }

    /** The process stands still: time goes on, and what became due meanwhile runs at the end of it. */
    public void stall(Duration time) {
        now += time.toNanos();
        advance(0);
    }

    /** Returns how many timers wait. */
    public int timers() {
        return timers.size();
    }
}
