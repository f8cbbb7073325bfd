package io.lambdafs.testing.simulation;

import io.lambdafs.model.Scheduler;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Simulated time: what is to happen, in order of time and then of entry; and the one source of randomness. Not thread-safe. */
final class Agenda {
    /** When a simulation begins, nanoseconds: not 0, which is what forgotten times are. */
    static final long ORIGIN = 1_000_000_000L;
    /** The wall clock at {@link #ORIGIN}, milliseconds since 1970. */
    static final long ORIGIN_MILLIS = 1_700_000_000_000L;

    /** One thing to happen; forgotten where it was cancelled. */
    static final class Step implements Scheduler.Timer, Comparable<Step> {
        private final long at;
        private final long order;
        private @Nullable Runnable task;

        private Step(long at, long order, Runnable task) {
            this.at = at;
            this.order = order;
            this.task = task;
        }

        @Override
        public void cancel() {
            task = null;
        }

        @Override
        public int compareTo(Step other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
        }
    }

    private final PriorityQueue<Step> steps = new PriorityQueue<>();
    private final SplittableRandom random;
    private long now = ORIGIN;
    private long order;

    Agenda(long seed) {
        random = new SplittableRandom(seed);
    }

    long now() {
        return now;
    }

    RandomGenerator random() {
        return random;
    }

    /** Returns whether something happens that does so with this probability. */
    boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    /** A time from now, nanoseconds, evenly from 0 to the bound. */
    long within(long boundNanos) {
        return boundNanos <= 0 ? 0 : random.nextLong(boundNanos);
    }

    Step at(long time, Runnable task) {
        Step step = new Step(Math.max(time, now), order++, task);
        steps.add(step);
        return step;
    }

    Step after(long nanos, Runnable task) {
        return at(now + nanos, task);
    }

    /** Lets the next thing happen; false where nothing is left. */
    boolean next() {
        while (true) {
            Step step = steps.poll();
            if (step == null) {
                return false;
            }
            Runnable task = step.task;
            if (task != null) {
                now = step.at;
                step.task = null;
                task.run();
                return true;
            }
        }
    }
}
