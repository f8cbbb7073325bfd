package io.lambdafs.rpc.kryonet;

import com.esotericsoftware.kryonet.Connection;
import com.esotericsoftware.kryonet.Listener;
import com.esotericsoftware.kryonet.Server;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.framing.FramedConnection;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.ClosedSelectorException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A listener on a KryoNet server, which closes its accepted connections when closed. Thread-safe. */
final class KryoListener implements Transport.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(KryoListener.class);
    private static final int FREE_PORT_TRIES = 16;
    private static final int CLOSE_WAIT_SECONDS = 1;

    /**
     * The dependencies shared by a transport's listeners.
     *
     * @param accepted number of connections of all listeners
     */
    record Context(Scheduler timers, ByteBufAllocator allocator, AtomicInteger accepted) {}

    private final Context context;
    private final FramedConnection.Settings settings;
    private final Acceptor server = new Acceptor();
    private final KryoEnd end;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final InetSocketAddress address;

    /** Binds the address; the thread starts with {@link KryoEnd#start}. */
    KryoListener(InetSocketAddress wanted, Context context, FramedConnection.Settings settings, String threadName)
            throws IOException {
        this.context = context;
        this.settings = settings;
        address = bind(wanted);
        end = new KryoEnd(server, server::dispose, context.timers(), threadName);
        server.addListener(new Listener() {
            @Override
            public void connected(Connection connection) {
                if (connection instanceof Accepted accepted) {
                    accept(accepted);
                }
            }
        });
        LOG.debug("listening on {} (kryonet)", address);
    }

    /** Binds a port chosen here, because KryoNet does not report the port it was given. */
    private InetSocketAddress bind(InetSocketAddress wanted) throws IOException {
        for (int tries = 1; ; tries++) {
            InetSocketAddress chosen = wanted.getPort() == 0 ? free(wanted) : wanted;
            try {
                server.bind(chosen, null);
                return chosen;
            } catch (IOException e) {
                // Another process may have taken the port meanwhile.
                if (!(e instanceof BindException) || wanted.getPort() != 0 || tries == FREE_PORT_TRIES) {
                    server.dispose();
                    throw e;
                }
            }
        }
    }

    private static InetSocketAddress free(InetSocketAddress wanted) throws IOException {
        try (ServerSocket probe = new ServerSocket()) {
            probe.bind(wanted);
            return (InetSocketAddress) probe.getLocalSocketAddress();
        }
    }

    KryoEnd end() {
        return end;
    }

    private void accept(Accepted kryo) {
        InetSocketAddress remote = kryo.getRemoteAddressTCP();
        if (remote == null || end.isStopping()) {
            kryo.close();
            return;
        }
        int most = settings.limits().maxConnections();
        if (context.accepted().incrementAndGet() > most) {
            context.accepted().decrementAndGet();
            LOG.warn("a connection from {} is closed: {} are open", remote, most);
            kryo.close();
            return;
        }
        KryoWire wire = new KryoWire(kryo, end, context.allocator(), remote, settings);
        kryo.wire = wire;
        kryo.addListener(new Listener() {
            @Override
            public void disconnected(Connection gone) {
                context.accepted().decrementAndGet();
            }
        });
        kryo.addListener(wire);
        wire.connected(kryo);
        Duration limit = settings.limits().proofTimeout();
        context.timers().schedule(limit.toNanos(), () -> wire.connection().demandProof(limit));
    }

    @Override
    public InetSocketAddress address() {
        return address;
    }

    /** Frees the address before returning, unless called from one of its connections. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        LOG.debug("no longer listening on {}", address);
        end.stop();
        if (end.isCalling()) {
            end.later(server::close);
        } else {
            try {
                server.close();
            } catch (ClosedSelectorException alreadyDone) {
                // Its thread was faster and is about to finish.
                end.ended()
                        .copy()
                        .completeOnTimeout(null, CLOSE_WAIT_SECONDS, TimeUnit.SECONDS)
                        .join();
            }
        }
    }

    /** Creates connections that know their wire. */
    private static final class Acceptor extends Server {
        Acceptor() {
            super(KryoObjects.WRITE_BUFFER_BYTES, KryoObjects.MAX_BYTES, KryoObjects.INSTANCE);
        }

        @Override
        protected Connection newConnection() {
            return new Accepted();
        }
    }

    private static final class Accepted extends Connection {
        volatile @Nullable KryoWire wire;

        @Override
        public void close() {
            KryoWire known = wire;
            if (known == null) {
                super.close();
            } else {
                known.closeBy(super::close);
            }
        }
    }
}
