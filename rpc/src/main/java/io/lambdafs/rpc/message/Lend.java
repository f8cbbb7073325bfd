package io.lambdafs.rpc.message;

import java.util.List;

/**
 * Lists all connections that a process lends to another process of the same user. Answered by {@link Done} if sent as a
 * request.
 *
 * @param version increases with each message
 * @param port of the TCP server for instances to connect to, 1–65535
 */
public record Lend(long version, int port, List<Instance> instances) implements Message {
    /**
     * The instance at the other end of a connection.
     *
     * @param connection the lender's id of the connection
     * @param deployment 0-based
     * @param instance its id, as the platform names it
     */
    public record Instance(long connection, int deployment, String instance, long epoch) {}

    public Lend {
        instances = List.copyOf(instances);
    }
}
