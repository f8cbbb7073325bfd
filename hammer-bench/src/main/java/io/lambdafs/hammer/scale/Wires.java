package io.lambdafs.hammer.scale;

import io.lambdafs.simulation.Agenda;
import io.lambdafs.simulation.SimulatedProcess;
import io.lambdafs.simulation.Ways;

/** A network that loses nothing: half a round trip each way, and now and then more. Not thread-safe. */
final class Wires implements Ways {
    private final Agenda agenda;
    private final long halfNanos;
    private final double jitterNanos;

    Wires(Agenda agenda, ScaleSettings.Network network) {
        this.agenda = agenda;
        this.halfNanos = network.roundTripNanos() / 2;
        this.jitterNanos = network.jitterNanos() / 2.0;
    }

    /** How long a message is on its way. */
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
