package io.lambdafs.testing.simulation;

import io.lambdafs.simulation.Agenda;
import io.lambdafs.simulation.SimulatedProcess;
import io.lambdafs.simulation.Ways;
import java.util.HashMap;
import java.util.Map;

/**
 * The ways between processes, one for each direction. A way has a random latency, now and then a long one; it may be slow, or cut: what
 * is sent over a way that is cut is lost, or arrives when it heals, as the cut says. Not thread-safe.
 */
final class Network implements Ways {
    private static final long LEAST_NANOS = 40_000;
    private static final long SPREAD_NANOS = 200_000;
    private static final long SPIKE_NANOS = 15_000_000;
    private static final double SPIKE = 1.0 / 256;

    private static final class Way {
        long cutUntil;
        boolean loses;
        long slowUntil;
        long slowNanos;
        long lateUntil;
        long lateNanos;
    }

    private final Agenda agenda;
    private final Map<Long, Way> ways = new HashMap<>();

    Network(Agenda agenda) {
        this.agenda = agenda;
    }

    private Way way(SimulatedProcess from, SimulatedProcess to) {
        return ways.computeIfAbsent(((long) from.number() << 32) | to.number(), key -> new Way());
    }

    /** Cuts a way for a time. */
    void cut(SimulatedProcess from, SimulatedProcess to, long nanos, boolean loses) {
        Way way = way(from, to);
        way.cutUntil = Math.max(way.cutUntil, agenda.now() + nanos);
        way.loses = loses;
    }

    /** Makes a way slow for a time. */
    void slow(SimulatedProcess from, SimulatedProcess to, long nanos, long latencyNanos) {
        Way way = way(from, to);
        way.slowUntil = agenda.now() + nanos;
        way.slowNanos = latencyNanos;
    }

    /** Makes a way late for a time: what is sent over it takes this long. */
    void late(SimulatedProcess from, SimulatedProcess to, long nanos, long latencyNanos) {
        Way way = way(from, to);
        way.lateUntil = agenda.now() + nanos;
        way.lateNanos = latencyNanos;
    }

    /** Ends all cuts; what they hold back arrives soon. */
    void heal() {
        ways.clear();
    }

    boolean isCut(SimulatedProcess from, SimulatedProcess to) {
        return way(from, to).cutUntil > agenda.now();
    }

    /** Returns whether what is sent now is lost. */
    boolean loses(SimulatedProcess from, SimulatedProcess to) {
        Way way = way(from, to);
        return way.cutUntil > agenda.now() && way.loses;
    }

    /** When something that is sent now arrives, the end of a cut waited for. */
    @Override
    public long arrival(SimulatedProcess from, SimulatedProcess to) {
        Way way = way(from, to);
        long latency = LEAST_NANOS + agenda.within(SPREAD_NANOS);
        if (agenda.chance(SPIKE)) {
            latency += agenda.within(SPIKE_NANOS);
        }
        if (way.slowUntil > agenda.now()) {
            latency += agenda.within(way.slowNanos);
        }
        if (way.lateUntil > agenda.now()) {
            latency += way.lateNanos;
        }
        return Math.max(agenda.now(), way.cutUntil) + latency;
    }

    /**
     * Sends something that stands for itself.
     *
     * @return whether it arrives without the end of a cut: nobody else is told of a loss
     */
    @Override
    public boolean send(SimulatedProcess from, SimulatedProcess to, Runnable arrived) {
        boolean cut = isCut(from, to);
        if (cut && loses(from, to)) {
            return false;
        }
        agenda.at(arrival(from, to), () -> to.message(arrived));
        return !cut;
    }
}
