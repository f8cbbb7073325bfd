package io.lambdafs.systemtests;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Ports for servers that are started again. They lie below those that the system gives to connections: a client that
 * tries again could take the port of a server that is gone. Stateless.
 */
public final class FreePorts {
    private static final int FIRST = 20_000;
    private static final int FIRSTS = 10_000;

    private FreePorts() {}

    public static int[] take(int count) throws IOException {
        List<ServerSocket> held = new ArrayList<>();
        try {
            for (int port = FIRST + new Random().nextInt(FIRSTS); held.size() < count; port++) {
                try {
                    held.add(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
                } catch (BindException taken) {
                    // The next one.
                }
            }
            return held.stream().mapToInt(ServerSocket::getLocalPort).toArray();
        } finally {
            for (ServerSocket each : held) {
                each.close();
            }
        }
    }
}
