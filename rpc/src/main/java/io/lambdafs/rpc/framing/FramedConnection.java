package io.lambdafs.rpc.framing;

import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.ConnectionState;
import io.lambdafs.rpc.TailSink;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.message.Codec;
import io.lambdafs.rpc.message.Message;
import io.netty.buffer.ByteBuf;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection over any wire: public interface and life cycle; {@link Sender} and {@link Receiver} do the work. The
 * methods of {@link Connection} are thread-safe; all others run on the loop. Returned stages complete on the loop, so
 * their dependents must not block.
 */
public final class FramedConnection extends ConnectionState {
    private static final Logger LOG = LoggerFactory.getLogger(FramedConnection.class);
    private static final AtomicLong IDS = new AtomicLong();

    /** The settings of every connection of a listener or dialler. */
    public record Settings(Codec codec, TransportLimits limits, ConnectionHandler handler, HeldBytes heldBytes) {}

    private final Wire wire;
    private final ConnectionHandler handler;
    private final SocketAddress remoteAddress;
    private final HeldBytes.Account account;
    private final Sender sender;
    private final FrameReader reader;
    private volatile boolean open;

    /**
     * Creates a connection that is not open yet.
     *
     * @param resources of the wire's loop
     */
    public FramedConnection(Wire wire, LoopResources resources, SocketAddress remoteAddress, Settings settings) {
        super(IDS.incrementAndGet());
        this.wire = wire;
        this.handler = settings.handler();
        this.remoteAddress = remoteAddress;
        account = settings.heldBytes().account(wire, this);
        sender = new Sender(wire, remoteAddress, settings, resources, account);
        reader = new FrameReader(this, new Receiver(this, settings, sender), resources);
    }

    Sender sender() {
        return sender;
    }

    /** Called when the wire is open: notifies the handler. */
    public void opened() {
        open = true;
        sender.opened();
        sender.beginBatch();
        try {
            handler.opened(this);
        } catch (RuntimeException e) {
            LOG.error("the handler of {} failed", this, e);
            close();
        }
        sender.endBatch();
    }

    /** Begins a batch: replies until {@link #endBatch} are sent together. */
    public void beginBatch() {
        sender.beginBatch();
    }

    /**
     * Consumes all complete frames; the rest belongs to an incomplete frame. Once the connection is closed or a frame
     * was malformed, everything is skipped.
     */
    public void read(ByteBuf in) {
        reader.read(in);
    }

    /** Returns the place for the next bytes; null if they are to be {@link #read}. */
    public @Nullable ByteBuffer room() {
        return reader.room();
    }

    /** Notes that this many bytes were put into the {@link #room} just returned. */
    public void came(int count) {
        reader.came(count);
    }

    /** Returns the number of bytes still to come after a reply; 0 if there are none, or none that are taken. */
    public int tailLeft() {
        return reader.tailLeft();
    }

    /** Returns whether a small frame head is likely to come next, and then bytes for which there is room. */
    public boolean isHeadNear() {
        return reader.isHeadNear();
    }

    /**
     * Ends a batch.
     *
     * @param unreadBytes the number of bytes kept of an incomplete frame
     */
    public void endBatch(int unreadBytes) {
        sender.endBatch();
        account.left(unreadBytes, reader.frames());
    }

    /** Called once when the wire is down: fails pending requests and notifies the handler. */
    public void lost() {
        open = false;
        account.closed();
        sender.closed();
        try {
            handler.closed(this);
        } catch (RuntimeException e) {
            LOG.error("the handler of {} failed", this, e);
        }
        markClosed();
    }

    /** Closes the connection if its peer does not authenticate within a time. From any thread. */
    public void demandProof(Duration limit) {
        if (open && !isAuthenticated()) {
            LOG.warn("{} is closed: its peer did not prove who it is within {}", this, limit);
            close();
        }
    }

    @Override
    public CompletionStage<Message> request(Message message, long timeoutNanos) {
        return send(new PendingRequest(this, message, timeoutNanos));
    }

    @Override
    public CompletionStage<Message> request(Message message, TailSink sink, long timeoutNanos) {
        PendingRequest request = new PendingRequest(this, message, timeoutNanos);
        request.sink = sink;
        return send(request);
    }

    private PendingRequest send(PendingRequest request) {
        if (open) {
            sender.request(request);
        } else {
            request.completeExceptionally(sender.lost());
        }
        return request;
    }

    @Override
    public void expectRequest() {
        if (wire.inLoop()) {
            sender.expectRequest();
        }
    }

    @Override
    public void close() {
        open = false;
        if (wire.inLoop()) {
            // Earlier replies are sent first.
            sender.drain();
            sender.stop();
            wire.close();
            return;
        }
        try {
            wire.execute(this::close);
        } catch (RejectedExecutionException loopEnded) {
            LOG.debug("{} was closed with its transport", this);
        }
    }

    @Override
    public SocketAddress remoteAddress() {
        return remoteAddress;
    }

    @Override
    public int inFlight() {
        return sender.inFlight();
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public String toString() {
        return "connection " + id() + " to " + remoteAddress;
    }
}
