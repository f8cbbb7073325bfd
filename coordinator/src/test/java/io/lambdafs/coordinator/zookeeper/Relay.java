package io.lambdafs.coordinator.zookeeper;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Passes on what arrives at a port of its own to another port, and what that answers. Thread-safe. */
final class Relay implements AutoCloseable {
    private final ServerSocket listens = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int target;

    Relay(int target) throws IOException {
        this.target = target;
        start(this::accept);
    }

    int port() {
        return listens.getLocalPort();
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "relay");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!listens.isClosed()) {
            try {
                Socket near = listens.accept();
                Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
                start(() -> copy(near, far));
                start(() -> copy(far, near));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private static void copy(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException ended) {
            // So has the other direction.
        }
    }

    @Override
    public void close() throws IOException {
        listens.close();
    }
}
