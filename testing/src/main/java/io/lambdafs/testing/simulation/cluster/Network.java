package io.lambdafs.testing.simulation.cluster;

import io.lambdafs.simulation.Agenda;
import io.lambdafs.simulation.SimulatedProcess;
import io.lambdafs.simulation.Ways;
import java.util.HashMap;
import java.util.Map;

/**
 * The simulated network: one link per direction between processes. A link has a random latency, sometimes long; it may
 * be slow or partitioned, in which case messages are lost or arrive when it heals. Not thread-safe.
 */
public final class Network implements Ways {
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
    /** Mean time that every message waits for a busy machine, in nanoseconds. */
    private long busyNanos;

    private final Map<Long, Way> ways = new HashMap<>();

    Network(Agenda agenda) {
        this.agenda = agenda;
    }

    private Way way(SimulatedProcess from, SimulatedProcess to) {
        return ways.computeIfAbsent(((long) from.number() << 32) | to.number(), key -> new Way());
    }

    /** Partitions a link for a time. */
    public void cut(SimulatedProcess from, SimulatedProcess to, long nanos, boolean loses) {
        Way way = way(from, to);
        way.cutUntil = Math.max(way.cutUntil, agenda.now() + nanos);
        way.loses = loses;
    }

    /** Makes a link slow for a time. */
    public void slow(SimulatedProcess from, SimulatedProcess to, long nanos, long latencyNanos) {
        Way way = way(from, to);
        way.slowUntil = agenda.now() + nanos;
        way.slowNanos = latencyNanos;
    }

    /** Delays a link for a time: each message takes this long. */
    public void late(SimulatedProcess from, SimulatedProcess to, long nanos, long latencyNanos) {
        Way way = way(from, to);
        way.lateUntil = agenda.now() + nanos;
        way.lateNanos = latencyNanos;
    }

    /** Makes the machine so busy that every message waits this long, on average, before it is handled. */
    public void busy(long meanNanos) {
        busyNanos = meanNanos;
    }

    /** Ends all partitions; held messages arrive soon. */
    void heal() {
        ways.clear();
    }

    boolean isCut(SimulatedProcess from, SimulatedProcess to) {
        return way(from, to).cutUntil > agenda.now();
    }

    /** Returns whether a message sent now is lost. */
    boolean loses(SimulatedProcess from, SimulatedProcess to) {
        Way way = way(from, to);
        return way.cutUntil > agenda.now() && way.loses;
    }

    /** Returns when a message sent now arrives, after any partition has healed. */
    @Override
    public long arrival(SimulatedProcess from, SimulatedProcess to) {
        Way way = way(from, to);
        long latency = LEAST_NANOS + agenda.within(SPREAD_NANOS);
        if (busyNanos > 0) {
            latency += busyNanos / 2 + agenda.within(busyNanos);
        }
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
     * Sends a standalone message.
     *
     * @return whether it arrives without waiting for a partition to heal; a loss is reported to no one else
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
