package io.lambdafs.door.hdfs.data;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.channels.ServerSocketChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for the data transfer protocol, with a thread for each connection. At most {@value #MOST} at once: further
 * ones are closed, and their clients try again. Thread-safe.
 */
public final class DataServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DataServer.class);
    private static final int MOST = 256;
    private static final int BACKLOG = 128;

    private final ServerSocket socket;
    private final DataContext context;
    private final Semaphore free = new Semaphore(MOST);
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    private DataServer(ServerSocket socket, DataContext context) {
        this.socket = socket;
        this.context = context;
    }

    public static DataServer start(InetSocketAddress listen, DataContext context) throws IOException {
        // Accepts through a channel, whose sockets allow writes with a time limit.
        ServerSocket socket = ServerSocketChannel.open().socket();
        try {
            socket.setReuseAddress(true);
            socket.bind(listen, BACKLOG);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
        DataServer server = new DataServer(socket, context);
        Thread accepting = new Thread(server::accept, "hdfs-door-data");
        accepting.setDaemon(true);
        accepting.start();
        context.metrics().watchStreams(server.open::size);
        return server;
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) socket.getLocalSocketAddress();
    }

    private void accept() {
        while (!closed) {
            try {
                Socket accepted = socket.accept();
                if (free.tryAcquire()) {
                    serve(accepted);
                } else {
                    accepted.close();
                }
            } catch (IOException e) {
                if (!closed) {
                    LOG.warn("The data port accepts nothing: {}", e.toString());
                }
            }
        }
    }

    private void serve(Socket accepted) {
        open.add(accepted);
        Thread thread = new Thread(
                () -> {
                    try (accepted) {
                        new DataConnection(accepted, context).serve();
                    } catch (SocketTimeoutException idle) {
                        LOG.debug("A data connection was idle: {}", idle.toString());
                    } catch (IOException | RuntimeException e) {
                        LOG.debug("A data connection ended", e);
                    } finally {
                        open.remove(accepted);
                        free.release();
                    }
                },
                "hdfs-door-data-" + accepted.getPort());
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        closed = true;
        close(socket);
        open.forEach(DataServer::close);
    }

    private static void close(Closeable each) {
        try {
            each.close();
        } catch (IOException e) {
            LOG.debug("A socket did not close", e);
        }
    }
}
