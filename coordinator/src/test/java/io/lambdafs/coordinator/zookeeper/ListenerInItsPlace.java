package io.lambdafs.coordinator.zookeeper;

import io.lambdafs.rpc.auth.ByteProof;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A process that has taken a server's port: notes what it is sent, and sends what looks like the reply of a server. Thread-safe.
 */
final class ListenerInItsPlace implements AutoCloseable {
    private final ServerSocket listens;
    private final List<ByteArrayOutputStream> received = new CopyOnWriteArrayList<>();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    ListenerInItsPlace(int port) throws IOException {
        listens = new ServerSocket();
        listens.setReuseAddress(true);
        listens.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        start(this::accept);
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "listener-in-its-place");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!listens.isClosed()) {
            try {
                Socket socket = listens.accept();
                sockets.add(socket);
                ByteArrayOutputStream all = new ByteArrayOutputStream();
                received.add(all);
                start(() -> serve(socket, all));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private static void serve(Socket socket, ByteArrayOutputStream all) {
        byte[] buffer = new byte[4_096];
        try (socket) {
            OutputStream out = socket.getOutputStream();
            int read = socket.getInputStream().read(buffer);
            while (read >= 0) {
                synchronized (all) {
                    all.write(buffer, 0, read);
                }
                out.write(new byte[ByteProof.REPLY_BYTES]);
                read = socket.getInputStream().read(buffer);
            }
        } catch (IOException reset) {
            // The client has had enough.
        }
    }

    int connections() {
        return received.size();
    }

    /** Returns the bytes received on each connection. */
    List<byte[]> received() {
        List<byte[]> copies = new ArrayList<>();
        for (ByteArrayOutputStream each : received) {
            synchronized (each) {
                copies.add(each.toByteArray());
            }
        }
        return copies;
    }

    @Override
    public void close() {
        try {
            listens.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
