package io.lambdafs.rpc.kryonet;

import com.esotericsoftware.kryonet.Connection;
import com.esotericsoftware.kryonet.Listener;
import io.lambdafs.rpc.framing.FramedConnection;
import io.lambdafs.rpc.framing.Wire;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A wire over a KryoNet connection. KryoNet's callbacks come on its end's thread; thread-safe as specified by {@link
 * Wire}.
 */
final class KryoWire extends Listener implements Wire {
    private static final Logger LOG = LoggerFactory.getLogger(KryoWire.class);

    private final Connection kryo;
    private final KryoEnd end;
    private final ByteBufAllocator allocator;
    private final Outbox outbox;
    private final FramedConnection connection;
    private final AtomicBoolean closing = new AtomicBoolean();

    /** The beginning of a frame; confined to the strand. */
    private @Nullable ByteBuf unread;

    KryoWire(
            Connection kryo,
            KryoEnd end,
            ByteBufAllocator allocator,
            SocketAddress remote,
            FramedConnection.Settings settings) {
        this.kryo = kryo;
        this.end = end;
        this.allocator = allocator;
        outbox = new Outbox(settings.limits().lowWaterMark(), settings.limits().highWaterMark());
        connection = new FramedConnection(this, end.resources(), remote, settings);
    }

    FramedConnection connection() {
        return connection;
    }

    @Override
    public void connected(Connection standing) {
        // No keep-alives: a paused process is not gone, callers have their own timeouts, and unread keep-alives would
        // fill the buffer.
        kryo.setTimeout(0);
        kryo.setKeepAliveTCP(0);
        end.joined();
        end.strand().enter(connection::opened);
    }

    @Override
    public void received(Connection from, Object object) {
        if (object instanceof ByteBuffer piece) {
            end.strand().enter(() -> read(piece));
            if (closing.get()) {
                // At once, because KryoNet keeps reading while more arrives.
                kryo.close();
            }
        }
    }

    private void read(ByteBuffer piece) {
        ByteBuf in = unread;
        if (in == null) {
            in = allocator.directBuffer(piece.remaining());
            unread = in;
        }
        in.writeBytes(piece);
        connection.beginBatch();
        try {
            connection.read(in);
        } catch (RuntimeException e) {
            LOG.warn("{} is closed by a fault", connection, e);
            connection.close();
        }
        int left = in.readableBytes();
        if (left > 0) {
            in.discardReadBytes();
        } else {
            release();
        }
        connection.endBatch(left);
    }

    private void release() {
        ByteBuf in = unread;
        if (in != null) {
            unread = null;
            in.release();
        }
    }

    /** {@inheritDoc} KryoNet's buffer has room. */
    @Override
    public void idle(Connection with) {
        if (outbox.isFull()) {
            end.strand().enter(() -> {
                outbox.hasRoom();
                push();
            });
        }
    }

    @Override
    public void disconnected(Connection gone) {
        end.strand().enter(() -> {
            release();
            outbox.discard();
            connection.lost();
        });
        end.left();
    }

    @Override
    public boolean inLoop() {
        return end.strand().isHeld();
    }

    @Override
    public void execute(Runnable task) {
        end.strand().execute(task);
    }

    @Override
    public boolean isWritable() {
        return outbox.isWritable();
    }

    @Override
    public long waitingBytes() {
        return outbox.bytes();
    }

    @Override
    public ByteBuf buffer(int bytes) {
        return allocator.directBuffer(bytes);
    }

    @Override
    public void send(ByteBuf frames) {
        outbox.add(frames);
        push();
    }

    private void push() {
        boolean sent = false;
        try {
            while (outbox.isSendable() && kryo.isConnected()) {
                kryo.sendTCP(outbox);
                sent = true;
            }
        } catch (RuntimeException e) {
            LOG.debug("{} broke: {}", connection, e.toString());
            kryo.close();
        }
        if (sent && kryo.getTcpWriteBufferSize() > 0) {
            // KryoNet's thread, if asleep, has not noticed that there is more to write.
            end.wake(kryo);
        }
    }

    @Override
    public void close() {
        kryo.close();
    }

    /**
     * Closes KryoNet's connection, at the request of this wire or of KryoNet itself.
     *
     * @param closesNow KryoNet's own way of closing
     */
    void closeBy(Runnable closesNow) {
        if (!end.strand().isHeld() && (end.isOwnThread() || !kryo.isConnected())) {
            closesNow.run();
        } else if (closing.compareAndSet(false, true)) {
            end.later(closesNow);
            end.wake(kryo);
        }
    }
}
