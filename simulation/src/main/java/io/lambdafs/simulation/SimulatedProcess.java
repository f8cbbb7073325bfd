package io.lambdafs.simulation;

import io.lambdafs.model.time.Scheduler;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A simulated process with its executor, timers and a clock with drift and offset. It may be frozen, as by SIGSTOP: its
 * clock continues, and missed events happen on thawing, timers before or after messages. It may be paused, as by a
 * platform between calls: its monotonic clock stops too. It may be killed, after which nothing more of it happens. Not
 * thread-safe.
 */
public final class SimulatedProcess implements Scheduler {
    /** Maximum time a task waits for one of the process's threads. */
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
    /** Total time its monotonic clock has been stopped. */
    private long pausedNanos;

    /**
     * The error of a process's clock.
     *
     * @param rate its nanoseconds per real nanosecond
     * @param wallOffsetMillis by how much its wall clock is ahead
     */
    public record ClockError(double rate, long wallOffsetMillis) {
        public static final ClockError NONE = new ClockError(1, 0);
    }

    /** Creates a process whose threads start tasks within 30 µs. */
    public SimulatedProcess(Agenda agenda, int number, String name, ClockError error) {
        this(agenda, number, name, error, HAND_OFF_NANOS);
    }

    /**
     * Creates a process.
     *
     * @param number unique in its simulation
     * @param handOffNanos maximum time a task waits for one of its threads
     */
    public SimulatedProcess(Agenda agenda, int number, String name, ClockError error, long handOffNanos) {
        this.handOffNanos = handOffNanos;
        this.agenda = agenda;
        this.number = number;
        this.name = name;
        this.rate = error.rate();
        this.wallOffsetMillis = error.wallOffsetMillis();
    }

    /** Returns a number unique in its simulation. */
    public int number() {
        return number;
    }

    /** Returns whether it has ended. */
    public boolean isDead() {
        return state == State.DEAD;
    }

    /** Returns whether it is neither frozen nor dead. */
    public boolean isRunning() {
        return state == State.RUNNING;
    }

    /** Freezes the process, as SIGSTOP does. */
    public void freeze() {
        if (state == State.RUNNING) {
            state = State.FROZEN;
        }
    }

    /** Pauses the process and its clock until {@link #wake}; {@link #thaw} has no effect. */
    public void pause() {
        if (state == State.RUNNING) {
            state = State.PAUSED;
            pausedAt = agenda.now();
        }
    }

    /** Resumes a paused process. */
    public void wake() {
        if (state == State.PAUSED) {
            pausedNanos += agenda.now() - pausedAt;
            goOn();
        }
    }

    /** Resumes a frozen process. */
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

    /** Kills the process, as SIGKILL does. */
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

    /** Sets what happens outside when the process ends. */
    public void onEnd(Runnable consequence) {
        ends.add(consequence);
    }

    /** Delivers an external event to the process: now, on thawing, or never. */
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
