package io.lambdafs.cluster.process;

import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.cluster.settings.Service;
import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.rpc.Hosts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.OptionalInt;

/** Chooses the port a service requests. Stateless. */
public final class Ports {
    private Ports() {}

    /**
     * Returns the configured port, which must be free; without one, the service's previous port if free, so that
     * clients find it again; else 0.
     */
    public static int choose(Service service, ClusterSettings settings, OptionalInt before) {
        String host = service.equals(Service.GATEWAY) ? settings.listen() : Hosts.loopback();
        int wanted = switch (service.kind()) {
            case ZOOKEEPER -> settings.ports().zookeeper();
            case POSTGRES -> settings.ports().postgres();
            case NDB -> settings.ports().ndb();
            case STORE -> settings.ports().store(service.number());
            case GATEWAY -> settings.ports().gateway();
            case HDFS, WEBHDFS, S3 -> settings.ports().door(service);
            case DATANODE -> settings.ports().datanode(service.number());
        };
        if (wanted == 0) {
            checkFree(service, host, 0);
            if (service.equals(Service.NDB)) {
                // NDB's management server does not accept a port with recently closed connections, and only the store
                // needs to know it.
                return 0;
            }
            return before.isPresent() && isFree(host, before.getAsInt()) ? before.getAsInt() : 0;
        }
        checkFree(service, host, wanted);
        return wanted;
    }

    private static boolean isFree(String host, int port) {
        try {
            bind(host, port);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static void checkFree(Service service, String host, int port) {
        try {
            bind(host, port);
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    ErrorCode.UNAVAILABLE,
                    "the " + service.label() + " cannot listen on " + Hosts.withPort(host, port) + " (" + e.getMessage()
                            + "): stop what uses that port, or set another with \"ports."
                            + service.kind().label()
                            + "\" (0 takes any free one)");
        }
    }

    private static void bind(String host, int port) throws IOException {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getByName(host), port));
        }
    }
}
