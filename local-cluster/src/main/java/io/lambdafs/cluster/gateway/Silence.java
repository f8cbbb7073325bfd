package io.lambdafs.cluster.gateway;

import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.terminal.Launcher;
import io.lambdafs.rpc.Hosts;
import io.lambdafs.rpc.Leeway;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.time.Duration;

/** Advice about a service that does not answer: a start helps only if nothing takes connections. Stateless. */
public final class Silence {
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(1);

    private Silence() {}

    /** Returns the advice for a gateway that did not answer. */
    public static String ofGateway(ClusterDirectory directory, URI gateway) {
        if (Files.exists(directory.client()) && !Files.isDirectory(directory.run())) {
            return "it runs elsewhere, so see whether its platform does, and whether this machine reaches that"
                    + " address, or ask "
                    + Launcher.command("doctor", "--dir", directory.toString());
        }
        return takesConnections(Hosts.bare(gateway.getHost()), gateway.getPort())
                ? "it takes connections, and is overloaded or hangs: wait, see " + directory.logs() + ", or ask "
                        + Launcher.command("doctor", "--dir", directory.toString())
                : "start it with " + Launcher.startOf(directory.root());
    }

    /** Returns whether something listens at an address. */
    public static boolean takesConnections(String host, int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getByName(host), port), (int)
                    Leeway.of(CONNECT_LIMIT).toMillis());
            return true;
        } catch (IOException | IllegalArgumentException e) {
            return false;
        }
    }
}
