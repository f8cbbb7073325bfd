package io.lambdafs.simulation;

import io.lambdafs.model.Scheduler;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A process: its clock, which runs faster or slower than time and is set wrong by a little, its executor and its timers. It may be
 * frozen, as by SIGSTOP: its clock goes on, and what it missed happens when it thaws; timers may then come before messages or after
 * them. It may be paused, as a platform does between two calls: then its monotonic clock stands still too. It may be killed, and then
 * nothing of it happens any more. Not thread-safe.
 */
public final class SimulatedProcess implements Scheduler {
    /** Longest time that a task waits for one of the process's threads. */
    private static final long HAND_OFF_NANOS = 30_000;

    private enum State {
        RUNNING,
        FROZEN,
        PAUSED,
        DEAD
    }

    private final Agenda agenda;
    private final int number;
    private final String name;
    private final long handOffNanos;
    private final double rate;
    private final long wallOffsetMillis;
    private final ArrayDeque<Runnable> missedMessages = new ArrayDeque<>();
    private final ArrayDeque<Runnable> missedTimers = new ArrayDeque<>();
    private final List<Runnable> ends = new ArrayList<>();
    private State state = State.RUNNING;
    private long pausedAt;
    /** For how long its monotonic clock has stood still. */
    private long pausedNanos;

    /**
     * How a process's clock goes.
     *
     * @param rate its nanoseconds per nanosecond
     * @param wallOffsetMillis how far its wall clock is ahead
     */
    public record ClockError(double rate, long wallOffsetMillis) {
        public static final ClockError NONE = new ClockError(1, 0);
    }

    /** A process whose threads take a task up within 30 µs. */
    public SimulatedProcess(Agenda agenda, int number, String name, ClockError error) {
        this(agenda, number, name, error, HAND_OFF_NANOS);
    }

    /**
     * A process.
     *
     * @param number unique in its simulation
     * @param handOffNanos the longest time that a task waits for one of its threads
     */
    public SimulatedProcess(Agenda agenda, int number, String name, ClockError error, long handOffNanos) {
        this.handOffNanos = handOffNanos;
        this.agenda = agenda;
        this.number = number;
        this.name = name;
        this.rate = error.rate();
        this.wallOffsetMillis = error.wallOffsetMillis();
    }

    /** Unique in its simulation. */
    public int number() {
        return number;
    }

    /** Whether it has ended. */
    public boolean isDead() {
        return state == State.DEAD;
    }

    /** Whether it is neither frozen nor dead. */
    public boolean isRunning() {
        return state == State.RUNNING;
    }

    /** Stops it, as SIGSTOP does. */
    public void freeze() {
        if (state == State.RUNNING) {
            state = State.FROZEN;
        }
    }

    /** Stands still, with its clock, until it is woken: no thaw ends that. */
    public void pause() {
        if (state == State.RUNNING) {
            state = State.PAUSED;
            pausedAt = agenda.now();
        }
    }

    /** Lets a paused one go on. */
    public void wake() {
        if (state == State.PAUSED) {
            pausedNanos += agenda.now() - pausedAt;
            goOn();
        }
    }

    /** Lets a frozen one go on. */
    public void thaw() {
        if (state == State.FROZEN) {
            goOn();
        }
    }

    private void goOn() {
        state = State.RUNNING;
        boolean timersFirst = agenda.chance(0.5);
        List<Runnable> missed = new ArrayList<>(timersFirst ? missedTimers : missedMessages);
        missed.addAll(timersFirst ? missedMessages : missedTimers);
        missedTimers.clear();
        missedMessages.clear();
        for (Runnable task : missed) {
            agenda.after(0, () -> message(task));
        }
    }

    /** Ends it, as SIGKILL does. */
    public void kill() {
        if (state == State.DEAD) {
            return;
        }
        state = State.DEAD;
        missedTimers.clear();
        missedMessages.clear();
        ends.forEach(end -> agenda.after(0, end));
        ends.clear();
    }

    /** Says what follows from the process's end, outside of it. */
    public void onEnd(Runnable consequence) {
        ends.add(consequence);
    }

    /** Runs what has reached the process from outside: now, when it thaws, or never. */
    public void message(Runnable task) {
        run(task, missedMessages);
    }

    private void run(Runnable task, ArrayDeque<Runnable> missed) {
        if (state == State.RUNNING) {
            task.run();
        } else if (state != State.DEAD) {
            missed.add(task);
        }
    }

    @Override
    public long nanoTime() {
        return Agenda.ORIGIN + (long) ((agenda.now() - Agenda.ORIGIN - pausedNanos) * rate);
    }

    @Override
    public long currentTimeMillis() {
        return Agenda.ORIGIN_MILLIS + (agenda.now() - Agenda.ORIGIN) / 1_000_000 + wallOffsetMillis;
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        if (state == State.DEAD) {
            return () -> {};
        }
        long delay = (long) Math.ceil(delayNanos / rate) + 1;
        return agenda.after(delay, () -> run(task, missedTimers));
    }

    @Override
    public RandomGenerator random() {
        return agenda.random();
    }

    @Override
    public void execute(Runnable command) {
        if (state != State.DEAD) {
            agenda.after(agenda.within(handOffNanos), () -> run(command, missedMessages));
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
