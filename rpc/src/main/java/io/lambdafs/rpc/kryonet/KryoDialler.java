package io.lambdafs.rpc.kryonet;

import com.esotericsoftware.kryonet.Client;
import com.esotericsoftware.kryonet.Connection;
import com.esotericsoftware.kryonet.Listener;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.framing.Dialled;
import io.lambdafs.rpc.framing.Failures;
import io.lambdafs.rpc.framing.FramedConnection;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Dials a server with a KryoNet client, which then carries the connection. Dialling blocks a thread for up to 5 s,
 * fixed by KryoNet; the caller is notified after this transport's limit. Thread-safe.
 */
final class KryoDialler {
    /** The dependencies of a dialler. */
    record Context(
            Scheduler timers, ByteBufAllocator allocator, FramedConnection.Settings settings, String threadName) {}

    private final InetSocketAddress address;
    private final Context context;
    private final CompletableFuture<io.lambdafs.rpc.Connection> result = new CompletableFuture<>();
    private final Caller client = new Caller();
    private final KryoEnd end;
    private final KryoWire wire;
    private final AtomicBoolean decided = new AtomicBoolean();

    KryoDialler(InetSocketAddress address, Context context) {
        this.address = address;
        this.context = context;
        end = new KryoEnd(client, client::dispose, context.timers(), context.threadName());
        FramedConnection.Settings settings = context.settings();
        wire = new KryoWire(
                client,
                end,
                context.allocator(),
                address,
                new FramedConnection.Settings(
                        settings.codec(),
                        settings.limits(),
                        new Dialled(settings.handler(), result),
                        settings.heldBytes()));
        client.wire = wire;
        client.addListener(new Listener() {
            @Override
            public void connected(Connection connection) {
                stands();
            }
        });
    }

    KryoEnd end() {
        return end;
    }

    CompletableFuture<io.lambdafs.rpc.Connection> result() {
        return result;
    }

    /** Dials; blocks until the connection is open or has failed. */
    void dial() {
        Duration limit = context.settings().limits().connectTimeout();
        end.start();
        try {
            Scheduler.Timer timer = context.timers()
                    .schedule(
                            limit.toNanos(),
                            () -> fail(
                                    new SocketTimeoutException("nobody answered within " + limit.toMillis() + " ms")));
            client.connect((int) limit.toMillis(), address.getAddress(), address.getPort());
            timer.cancel();
        } catch (IOException | RuntimeException e) {
            fail(e);
            client.close();
            end.stop();
        }
    }

    private void fail(Exception why) {
        if (decided.compareAndSet(false, true)) {
            result.completeExceptionally(Failures.cannotConnect(address, why));
        }
    }

    /** Called when the server has numbered the connection. */
    private void stands() {
        // The only connection: the thread ends with it.
        if (decided.compareAndSet(false, true)) {
            client.addListener(wire);
            wire.connected(client);
        } else {
            client.close();
        }
        end.stop();
    }

    /** Closes the connection, or gives up dialling. */
    CompletableFuture<Void> close() {
        if (decided.compareAndSet(false, true)) {
            result.completeExceptionally(Failures.transportClosed("connect to", address));
        }
        if (!client.isConnected()) {
            return CompletableFuture.completedFuture(null);
        }
        wire.connection().close();
        return end.ended();
    }

    private static final class Caller extends Client {
        volatile @Nullable KryoWire wire;

        Caller() {
            super(KryoObjects.WRITE_BUFFER_BYTES, KryoObjects.MAX_BYTES, KryoObjects.INSTANCE);
        }

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
