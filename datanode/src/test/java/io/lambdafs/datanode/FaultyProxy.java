package io.lambdafs.datanode;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A wire between a client and a server in this process, with faults. Thread-safe. */
public final class FaultyProxy implements AutoCloseable {
    private static final byte[] SLOW_DOWN = answer("503 Slow Down", "");
    private static final byte[] CONFLICT =
            answer("409 Conflict", "<Error><Code>ConditionalRequestConflict</Code></Error>");

    private final ServerSocket listening;
    private final int target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicInteger refusals = new AtomicInteger();
    private final AtomicInteger conflicts = new AtomicInteger();
    private final AtomicInteger silences = new AtomicInteger();
    private final AtomicInteger cuts = new AtomicInteger();
    private final AtomicInteger hangUps = new AtomicInteger();
    private final AtomicInteger faults = new AtomicInteger();
    private volatile long flipRequestAt = -1;
    private volatile long flipAnswerAt = -1;
    private volatile boolean flipsAlways;

    private FaultyProxy(ServerSocket listening, int target) {
        this.listening = listening;
        this.target = target;
    }

    public static FaultyProxy to(int target) throws IOException {
        FaultyProxy proxy = new FaultyProxy(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), target);
        start(proxy::accept);
        return proxy;
    }

    private static byte[] answer(String status, String body) {
        return ("HTTP/1.1 " + status + "\r\nContent-Length: " + body.length() + "\r\nConnection: close\r\n\r\n" + body)
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "faulty-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    public int port() {
        return listening.getLocalPort();
    }

    /** How many faults there have been. */
    public int faults() {
        return faults.get();
    }

    /** Changes one bit of what the client sends on a connection, at that position: once, or on each. */
    public void flipRequest(long position, boolean always) {
        flipRequestAt = position;
        flipsAlways = always;
    }

    /** Changes one bit of what the server sends on a connection, at that position: once, or on each. */
    public void flipAnswer(long position, boolean always) {
        flipAnswerAt = position;
        flipsAlways = always;
    }

    /** Answers the next connections with 503. */
    public void refuse(int connections) {
        refusals.set(connections);
    }

    /** Answers the next connections with S3's 409. */
    public void conflict(int connections) {
        conflicts.set(connections);
    }

    /** Lets nothing come back on the next connections. */
    public void silence(int connections) {
        silences.set(connections);
    }

    /** Ends the next connections in the middle of what the server sends. */
    public void cut(int connections) {
        cuts.set(connections);
    }

    /** Ends the next connections once something of a request has come. */
    public void hangUp(int connections) {
        hangUps.set(connections);
    }

    private boolean takes(AtomicInteger left) {
        boolean taken = left.getAndUpdate(count -> Math.max(0, count - 1)) > 0;
        if (taken) {
            faults.incrementAndGet();
        }
        return taken;
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                sockets.add(client);
                if (takes(refusals)) {
                    start(() -> answer(client, SLOW_DOWN));
                    continue;
                }
                if (takes(conflicts)) {
                    start(() -> answer(client, CONFLICT));
                    continue;
                }
                if (takes(hangUps)) {
                    start(() -> readAndEnd(client));
                    continue;
                }
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                sockets.add(server);
                boolean silent = takes(silences);
                boolean cut = takes(cuts);
                start(() -> pump(client, server, true, Long.MAX_VALUE));
                start(() -> pump(server, client, false, silent ? 0 : cut ? 1_000 : Long.MAX_VALUE));
            } catch (IOException closed) {
                // Then nobody is accepted any more.
            }
        }
    }

    private static void answer(Socket client, byte[] answer) {
        try (client) {
            client.getInputStream().read(new byte[64 << 10]);
            client.getOutputStream().write(answer);
            client.getOutputStream().flush();
            client.shutdownOutput();
            while (client.getInputStream().read(new byte[64 << 10]) >= 0) {
                // Until the client has read the answer.
            }
        } catch (IOException gone) {
            // So is the client.
        }
    }

    private static void readAndEnd(Socket client) {
        try (client) {
            client.getInputStream().read();
        } catch (IOException gone) {
            // So is the client.
        }
    }

    /** @param most bytes that pass; then nothing does (0), or the connection ends */
    private void pump(Socket from, Socket to, boolean request, long most) {
        byte[] bytes = new byte[16 << 10];
        long passed = 0;
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                flip(bytes, count, passed, request);
                int passes = (int) Math.min(count, most - passed);
                out.write(bytes, 0, passes);
                out.flush();
                passed += passes;
                if (passed == most && most > 0) {
                    return;
                }
            }
        } catch (IOException gone) {
            // Either end may close.
        }
    }

    private synchronized void flip(byte[] bytes, int count, long passed, boolean request) {
        long at = (request ? flipRequestAt : flipAnswerAt) - passed;
        if (at >= 0 && at < count && (request ? flipRequestAt : flipAnswerAt) >= 0) {
            bytes[(int) at] ^= 4;
            faults.incrementAndGet();
            if (!flipsAlways) {
                flipRequestAt = -1;
                flipAnswerAt = -1;
            }
        }
    }

    /** Ends the connections that there are. */
    public void endKept() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        sockets.clear();
    }

    @Override
    public void close() throws IOException {
        listening.close();
        endKept();
    }
}
