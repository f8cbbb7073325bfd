package io.lambdafs.simulation;

/** The network between processes: the latency of messages and whether they arrive. Not thread-safe. */
public interface Ways {
    /** Returns the arrival time of a message sent now. */
    long arrival(SimulatedProcess from, SimulatedProcess to);

    /**
     * Sends a standalone message.
     *
     * @return whether it arrives without waiting for a partition to heal; a loss is reported to no one else
     */
    boolean send(SimulatedProcess from, SimulatedProcess to, Runnable arrived);
}
