package io.lambdafs.hammer.scale;

import io.lambdafs.simulation.Agenda;
import io.lambdafs.simulation.SimulatedProcess;
import io.lambdafs.simulation.Ways;

/** A network without loss: half a round trip each way, plus a random delay. Not thread-safe. */
final class Wires implements Ways {
    private final Agenda agenda;
    private final long halfNanos;
    private final double jitterNanos;

    Wires(Agenda agenda, ScaleSettings.Network network) {
        this.agenda = agenda;
        this.halfNanos = network.roundTripNanos() / 2;
        this.jitterNanos = network.jitterNanos() / 2.0;
    }

    /** Draws the travel time of a message. */
    long way() {
        return halfNanos + (long) (-Math.log(1 - agenda.random().nextDouble()) * jitterNanos);
    }

    @Override
    public long arrival(SimulatedProcess from, SimulatedProcess to) {
        return agenda.now() + way();
    }

    @Override
    public boolean send(SimulatedProcess from, SimulatedProcess to, Runnable arrived) {
        agenda.after(way(), () -> to.message(arrived));
        return true;
    }
}
