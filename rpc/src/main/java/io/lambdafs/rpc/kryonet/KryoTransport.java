package io.lambdafs.rpc.kryonet;

import io.lambdafs.model.FsException;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.framing.Failures;
import io.lambdafs.rpc.framing.FramedConnection;
import io.lambdafs.rpc.framing.HeldBytes;
import io.lambdafs.rpc.message.Codec;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@link Transport} on KryoNet. Owns its daemon threads, which {@link #close} ends: one per listener, one per dialled
 * connection, two for timers, and one per dial in progress, at most {@value #MAX_DIALLING}. An accepted connection
 * holds 64 KiB of buffers, a dialled one 128 KiB. Idle connections send nothing: a vanished peer is noticed by requests
 * that time out. Closing a listener closes its connections. Thread-safe.
 */
public final class KryoTransport implements Transport {
    static final int MAX_DIALLING = 256;

    private static final Logger LOG = LoggerFactory.getLogger(KryoTransport.class);
    private static final int TASKS = 65_536;
    private static final int CLOSE_WAIT_SECONDS = 5;

    static {
        KryoLog.install();
    }

    /** Closes an end; completes when done. */
    @FunctionalInterface
    private interface Closing {
        CompletableFuture<Void> begin();
    }

    private final Codec codec;
    private final TransportLimits limits;
    private final ByteBufAllocator allocator;
    private final String threadNamePrefix;
    private final SystemScheduler timers;
    private final HeldBytes heldBytes;
    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicInteger dialling = new AtomicInteger();
    private final AtomicLong threads = new AtomicLong();
    /** The way to close each open end. */
    private final Map<KryoEnd, Closing> open = new ConcurrentHashMap<>();

    private volatile boolean closed;

    /**
     * Creates a transport.
     *
     * @param codec knows all messages of both ends
     * @param threadNamePrefix of its threads
     */
    public KryoTransport(Codec codec, String threadNamePrefix, TransportLimits limits) {
        this(codec, threadNamePrefix, limits, PooledByteBufAllocator.DEFAULT);
    }

    KryoTransport(Codec codec, String threadNamePrefix, TransportLimits limits, ByteBufAllocator allocator) {
        this.codec = codec;
        this.threadNamePrefix = threadNamePrefix;
        this.limits = limits;
        this.allocator = allocator;
        heldBytes = new HeldBytes(limits.maxHeldBytes());
        timers = new SystemScheduler(threadNamePrefix, 1, TASKS);
    }

    @Override
    public CompletionStage<Listener> listen(InetSocketAddress address, ConnectionHandler handler) {
        if (closed) {
            return CompletableFuture.failedFuture(Failures.transportClosed("listen on", address));
        }
        KryoListener listener;
        try {
            listener = new KryoListener(
                    address,
                    new KryoListener.Context(timers, allocator, accepted),
                    new FramedConnection.Settings(codec, limits, handler, heldBytes),
                    threadName("accept"));
        } catch (IOException e) {
            return CompletableFuture.failedFuture(Failures.cannotListen(address, e));
        }
        keep(listener.end(), () -> {
            listener.close();
            return listener.end().ended();
        });
        listener.end().start();
        return CompletableFuture.completedFuture(listener);
    }

    @Override
    public CompletionStage<Connection> connect(InetSocketAddress address, ConnectionHandler handler) {
        if (closed) {
            return CompletableFuture.failedFuture(Failures.transportClosed("connect to", address));
        }
        if (address.isUnresolved() || dialling.incrementAndGet() > MAX_DIALLING) {
            return CompletableFuture.failedFuture(refused(address));
        }
        KryoDialler dialler = new KryoDialler(
                address,
                new KryoDialler.Context(
                        timers,
                        allocator,
                        new FramedConnection.Settings(codec, limits, handler, heldBytes),
                        threadName("connection")));
        keep(dialler.end(), dialler::close);
        Thread thread = new Thread(
                () -> {
                    try {
                        dialler.dial();
                    } finally {
                        dialling.decrementAndGet();
                    }
                },
                threadName("dial"));
        thread.setDaemon(true);
        thread.start();
        return dialler.result();
    }

    private FsException refused(InetSocketAddress address) {
        if (address.isUnresolved()) {
            return FsException.unavailable(
                    "cannot connect to " + address + ": there is no such host; correct its name");
        }
        dialling.decrementAndGet();
        return FsException.unavailable(
                "cannot connect to " + address + ": " + MAX_DIALLING + " connections are on their way; repeat later");
    }

    private String threadName(String what) {
        return threadNamePrefix + "-" + what + "-" + threads.incrementAndGet();
    }

    private void keep(KryoEnd end, Closing close) {
        open.put(end, close);
        end.ended().thenRun(() -> open.remove(end));
        if (closed) {
            close.begin();
        }
    }

    /** Closes everything and waits up to 5 s, unless called from one of its connections. */
    @Override
    public void close() {
        closed = true;
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        boolean calling = false;
        for (Map.Entry<KryoEnd, Closing> each : open.entrySet()) {
            calling |= each.getKey().isCalling();
            ends.add(each.getValue().begin());
        }
        CompletableFuture<Void> done = CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new))
                .orTimeout(CLOSE_WAIT_SECONDS, TimeUnit.SECONDS)
                .exceptionally(late -> {
                    LOG.warn("threads still run {} s after their transport was closed", CLOSE_WAIT_SECONDS);
                    return null;
                });
        if (calling) {
            done.thenRun(timers::close);
        } else {
            done.join();
            timers.close();
        }
    }
}
