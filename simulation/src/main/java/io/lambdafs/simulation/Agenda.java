package io.lambdafs.simulation;

import io.lambdafs.model.Scheduler;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Simulated time: what is to happen, in order of time and then of entry; and the one source of randomness. Not thread-safe. */
public final class Agenda {
    /** When a simulation begins, nanoseconds: not 0, which is what forgotten times are. */
    public static final long ORIGIN = 1_000_000_000L;
    /** The wall clock at {@link #ORIGIN}, milliseconds since 1970. */
    public static final long ORIGIN_MILLIS = 1_700_000_000_000L;

    private static final int LEAST_DEAD = 4_096;

    /** One thing to happen; forgotten where it was cancelled. */
    public static final class Step implements Scheduler.Timer, Comparable<Step> {
        private final long at;
        private final long order;
        private @Nullable Runnable task;
        private final Agenda agenda;

        private Step(Agenda agenda, long at, long order, Runnable task) {
            this.agenda = agenda;
            this.at = at;
            this.order = order;
            this.task = task;
        }

        @Override
        public void cancel() {
            if (task != null) {
                task = null;
                agenda.cancelled();
            }
        }

        @Override
        public int compareTo(Step other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
        }
    }

    private final PriorityQueue<Step> steps = new PriorityQueue<>();
    private final SplittableRandom random;
    private long now = ORIGIN;
    /** Cancelled steps that are still in the queue. */
    private int dead;

    private long order;

    /** Begins under a seed. */
    public Agenda(long seed) {
        random = new SplittableRandom(seed);
    }

    /** Nanoseconds. */
    public long now() {
        return now;
    }

    /** The one source of randomness. */
    public RandomGenerator random() {
        return random;
    }

    /** Returns whether something happens that does so with this probability. */
    public boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    /** A time from now, nanoseconds, evenly from 0 to the bound. */
    public long within(long boundNanos) {
        return boundNanos <= 0 ? 0 : random.nextLong(boundNanos);
    }

    /** Lets something happen at a time, or now if that is over. */
    public Step at(long time, Runnable task) {
        Step step = new Step(this, Math.max(time, now), order++, task);
        steps.add(step);
        return step;
    }

    /** Lets something happen in a while. */
    public Step after(long nanos, Runnable task) {
        return at(now + nanos, task);
    }

    /** Lets the next thing happen; false where nothing is left. */
    public boolean next() {
        while (true) {
            Step step = steps.poll();
            if (step == null) {
                return false;
            }
            Runnable task = step.task;
            if (task == null) {
                dead--;
            } else {
                now = step.at;
                step.task = null;
                task.run();
                return true;
            }
        }
    }

    /** Most limits are cancelled long before they are due: they would be most of the queue. */
    private void cancelled() {
        dead++;
        if (dead > LEAST_DEAD && dead > steps.size() / 2) {
            steps.removeIf(step -> step.task == null);
            dead = 0;
        }
    }
}
