package io.lambdafs.rpc;

import java.util.List;

/**
 * The connections that a process lends to another one of its user; each message has all of them. Answered by {@link Done} where it is
 * a request.
 *
 * @param version greater in each later message
 * @param port of the TCP server that instances are to connect to, 1–65535
 */
public record Lend(long version, int port, List<Instance> instances) implements Message {
    /**
     * What is at the other end of a connection.
     *
     * @param connection names the connection to the one that lends it
     * @param deployment 0-based
     * @param instance its id, as the platform names it
     */
    public record Instance(long connection, int deployment, String instance, long epoch) {}

    public Lend {
        instances = List.copyOf(instances);
    }
}
