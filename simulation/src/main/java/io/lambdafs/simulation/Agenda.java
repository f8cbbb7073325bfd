package io.lambdafs.simulation;

import io.lambdafs.model.time.Scheduler;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The event queue of a simulation: simulated time, events ordered by time and then insertion, and the only source of
 * randomness. Not thread-safe.
 */
public final class Agenda {
    /** Start of a simulation in nanoseconds; not 0, which would hide uninitialised times. */
    public static final long ORIGIN = 1_000_000_000L;
    /** The wall clock at {@link #ORIGIN}, milliseconds since 1970. */
    public static final long ORIGIN_MILLIS = 1_700_000_000_000L;

    private static final int LEAST_DEAD = 4_096;

    /** A scheduled event; dropped if cancelled. */
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
    /** Cancelled events still in the queue. */
    private int dead;

    private long order;

    /** Creates a simulation with a seed. */
    public Agenda(long seed) {
        random = new SplittableRandom(seed);
    }

    /** Returns the simulated time in nanoseconds. */
    public long now() {
        return now;
    }

    /** Returns the only source of randomness. */
    public RandomGenerator random() {
        return random;
    }

    /** Draws whether something of a given probability happens. */
    public boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    /** Draws a time from now in nanoseconds, uniform from 0 to the bound. */
    public long within(long boundNanos) {
        return boundNanos <= 0 ? 0 : random.nextLong(boundNanos);
    }

    /** Schedules a task at a time, or now if that is past. */
    public Step at(long time, Runnable task) {
        Step step = new Step(this, Math.max(time, now), order++, task);
        steps.add(step);
        return step;
    }

    /** Schedules a task after a delay. */
    public Step after(long nanos, Runnable task) {
        return at(now + nanos, task);
    }

    /** Runs the next event; returns false if there is none. */
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

    /** Counts a cancelled event. Most timeouts are cancelled long before they are due and would fill the queue. */
    private void cancelled() {
        dead++;
        if (dead > LEAST_DEAD && dead > steps.size() / 2) {
            steps.removeIf(step -> step.task == null);
            dead = 0;
        }
    }
}
