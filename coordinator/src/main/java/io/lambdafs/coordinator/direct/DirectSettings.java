package io.lambdafs.coordinator.direct;

/**
 * Where one instance's {@link DirectChannel} listens, and who it is. Immutable.
 *
 * @param listen host to listen on
 * @param advertised host under which other instances reach it
 * @param port 0 takes any free one
 * @param sameMachine every instance runs under one kernel and in one network namespace: a connection that is refused then proves that
 *     its instance's process has gone, for that listens as long as it may answer anything from its cache
 * @param instance the platform's id of the instance, as in its {@link io.lambdafs.coordinator.Member}
 */
public record DirectSettings(String listen, String advertised, int port, boolean sameMachine, String instance) {
    public static final String LOOPBACK = "127.0.0.1";

    /** Any free port of the loopback interface: reachable from this machine only. */
    public static DirectSettings loopback(String instance) {
        return new DirectSettings(LOOPBACK, LOOPBACK, 0, true, instance);
    }
}
