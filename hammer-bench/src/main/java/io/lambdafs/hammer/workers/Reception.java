package io.lambdafs.hammer.workers;

import com.fasterxml.jackson.databind.JsonNode;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.auth.Secret;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The master's end of all connections: each proves itself, and is read, on a thread of its own, so that none waits for
 * another. Thread-safe.
 */
final class Reception implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Reception.class);
    /** Maximum number of processes that prove themselves at once; others wait to be accepted. */
    private static final int NEWCOMERS = 256;

    private static final String REGISTERED = "registered";

    /** A worker's registration, its message, or its loss; {@code lost} is empty unless it is lost. */
    record News(Seat seat, JsonNode message, String lost) {
        String type() {
            return message.path("type").asText();
        }

        boolean registers() {
            return type().equals(REGISTERED);
        }
    }

    private final ServerSocket server;
    private final Secret secret;
    /** Each worker sends a few messages a second. */
    private final BlockingQueue<News> news = new LinkedBlockingQueue<>();

    private final Semaphore newcomers = new Semaphore(NEWCOMERS);
    /** Open connections, proved or not. */
    private final Set<Wire> wires = ConcurrentHashMap.newKeySet();

    /** @throws FsException {@code UNAVAILABLE} if it cannot listen there */
    Reception(InetSocketAddress address, Secret secret) {
        this.secret = secret;
        try {
            server = new ServerSocket();
            server.bind(address);
        } catch (IOException e) {
            throw FsException.unavailable("cannot listen for workers on " + address + ": " + e + "; name another", e);
        }
    }

    void start() {
        inThread("worker-acceptor", this::accept);
    }

    private static void inThread(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    InetSocketAddress address() {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    /** Returns the next news; null if there is none for this long. */
    @Nullable
    News poll(long millis) {
        try {
            return news.poll(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FsException(ErrorCode.INTERRUPTED, "the replay was interrupted before its end", e);
        }
    }

    private void accept() {
        while (!server.isClosed()) {
            newcomers.acquireUninterruptibly();
            try {
                Socket socket = server.accept();
                inThread("worker-reader", () -> serve(socket));
            } catch (IOException e) {
                newcomers.release();
                pauseAfter(e);
            }
        }
    }

    private void pauseAfter(IOException e) {
        if (!server.isClosed()) {
            LOG.warn("no worker can be accepted for a second: {}", e.toString());
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
        }
    }

    private void serve(Socket socket) {
        try (Wire wire = new Wire(socket)) {
            wires.add(wire);
            Seat seat = register(wire);
            if (seat != null) {
                news.add(new News(seat, Wire.message(REGISTERED), ""));
                read(seat);
            }
            wires.remove(wire);
        } catch (IOException e) {
            newcomers.release();
            LOG.debug("the connection had ended at once", e);
        }
    }

    private @Nullable Seat register(Wire wire) {
        try {
            // A worker that arrives after all have registered is late.
            return server.isClosed() ? null : Seat.of(wire, secret);
        } catch (IOException e) {
            LOG.warn("a process that wanted to be a worker was sent away: {}", e.toString());
            return null;
        } finally {
            newcomers.release();
        }
    }

    private void read(Seat seat) {
        try {
            String type = "";
            while (!type.equals("end")) {
                JsonNode message = seat.wire.receive();
                type = message.path("type").asText();
                news.add(new News(seat, message, ""));
            }
        } catch (IOException e) {
            String why = e instanceof SocketTimeoutException
                    ? "it said nothing for " + Wire.SILENCE.toSeconds() + " s"
                    : "its connection broke: " + e;
            news.add(new News(seat, Wire.message("lost"), why));
        }
    }

    /** Accepts no more connections. */
    void stopListening() {
        try {
            server.close();
        } catch (IOException e) {
            LOG.debug("the master's socket did not close", e);
        }
    }

    @Override
    public void close() {
        stopListening();
        wires.forEach(Wire::close);
    }
}
