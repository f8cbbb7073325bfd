package io.lambdafs.coordinator.direct;

/**
 * The addresses and identity of an instance's {@link DirectChannel}. Immutable.
 *
 * @param listen host to listen on
 * @param advertised host at which other instances reach it
 * @param port 0 takes any free one
 * @param sameMachine whether all instances share one kernel and network namespace: a refused connection then proves
 *     that the instance's process is gone, because it listens as long as it may answer from its cache
 * @param instance the platform's id of the instance, as in its {@link io.lambdafs.coordinator.Member}
 */
public record DirectSettings(String listen, String advertised, int port, boolean sameMachine, String instance) {
    public static final String LOOPBACK = "127.0.0.1";

    /** Returns settings for any free port of the loopback interface, reachable from this machine only. */
    public static DirectSettings loopback(String instance) {
        return new DirectSettings(LOOPBACK, LOOPBACK, 0, true, instance);
    }
}
