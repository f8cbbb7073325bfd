package io.lambdafs.simulation;

/** The ways between processes: how long what is sent is on its way, and whether it arrives. Not thread-safe. */
public interface Ways {
    /** When something that is sent now arrives. */
    long arrival(SimulatedProcess from, SimulatedProcess to);

    /**
     * Sends something that stands for itself.
     *
     * @return whether it arrives without the end of a cut: nobody else is told of a loss
     */
    boolean send(SimulatedProcess from, SimulatedProcess to, Runnable arrived);
}
