package io.lambdafs.client.config;

import io.lambdafs.model.FsException;
import io.lambdafs.rpc.Hosts;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.URI;

/** Looks up local addresses in the machine's routing table. Stateless. */
final class Routes {
    private static final int ANY_PORT = 9;

    private Routes() {}

    /**
     * Returns the local source address of packets to a server. Nothing is sent.
     *
     * @throws FsException {@code UNAVAILABLE} if the server's name is unknown or there is no route
     */
    static String ownAddressTowards(URI server) {
        InetSocketAddress there =
                new InetSocketAddress(Hosts.bare(server.getHost()), server.getPort() < 1 ? ANY_PORT : server.getPort());
        try (DatagramSocket socket = new DatagramSocket()) {
            if (there.isUnresolved()) {
                throw new SocketException("the name is unknown");
            }
            socket.connect(there);
            return socket.getLocalAddress().getHostAddress();
        } catch (SocketException | UncheckedIOException e) {
            throw FsException.unavailable(
                    "no way leads from this machine to the gateway at " + server + ": " + e.getMessage()
                            + "; check its address",
                    e);
        }
    }
}
