package io.lambdafs.rpc.framing;

import io.lambdafs.rpc.Codec;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.Message;
import io.lambdafs.rpc.TransportLimits;
import io.netty.buffer.ByteBuf;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection: its face and its life; {@link Sender} and {@link Receiver} do the work. The methods of {@link Connection} are
 * safe from any thread; all others run on the loop. Stages that it returns are completed on the loop, so what depends on them
 * must not block.
 */
public final class FramedConnection implements Connection {
    private static final Logger LOG = LoggerFactory.getLogger(FramedConnection.class);
    private static final AtomicLong IDS = new AtomicLong();

    /** What every connection of a listener or dialler is given. */
    public record Settings(Codec codec, TransportLimits limits, ConnectionHandler handler) {}

    private final long id = IDS.incrementAndGet();
    private final Wire wire;
    private final ConnectionHandler handler;
    private final SocketAddress remoteAddress;
    private final Sender sender;
    private final FrameReader reader;
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private volatile boolean open;
    private volatile boolean authenticated;
    private volatile @Nullable Object attachment;

    /**
     * A connection that is not open yet.
     *
     * @param resources of the wire's loop
     */
    public FramedConnection(Wire wire, LoopResources resources, SocketAddress remoteAddress, Settings settings) {
        this.wire = wire;
        this.handler = settings.handler();
        this.remoteAddress = remoteAddress;
        sender = new Sender(wire, remoteAddress, settings, resources);
        reader = new FrameReader(this, new Receiver(this, settings, sender), resources);
    }

    Sender sender() {
        return sender;
    }

    /** The wire stands: tells the handler. */
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

    /** What was read is answered in one batch, from here to {@link #endBatch}. */
    public void beginBatch() {
        sender.beginBatch();
    }

    /**
     * Takes every whole frame out of what has come; what is left belongs to a frame whose rest has not come. Once the connection is
     * closed or a frame was malformed, everything is skipped.
     */
    public void read(ByteBuf in) {
        reader.read(in);
    }

    public void endBatch() {
        sender.endBatch();
    }

    /** The wire is down: fails what waits and tells the handler. Once. */
    public void lost() {
        open = false;
        sender.closed();
        try {
            handler.closed(this);
        } catch (RuntimeException e) {
            LOG.error("the handler of {} failed", this, e);
        }
        closed.complete(null);
    }

    /** Closes it if its peer has not proved who it is, which it had that long to do. From any thread. */
    public void demandProof(Duration limit) {
        if (open && !authenticated) {
            LOG.warn("{} is closed: its peer did not prove who it is within {}", this, limit);
            close();
        }
    }

    @Override
    public CompletionStage<Message> request(Message message, long timeoutNanos) {
        PendingRequest request = new PendingRequest(this, message, timeoutNanos);
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
            // What was answered before is sent before.
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
    public long id() {
        return id;
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
    public CompletionStage<Void> closed() {
        return closed.minimalCompletionStage();
    }

    @Override
    public void markAuthenticated() {
        authenticated = true;
    }

    @Override
    public boolean isAuthenticated() {
        return authenticated;
    }

    @Override
    public @Nullable Object attachment() {
        return attachment;
    }

    @Override
    public void attach(Object newAttachment) {
        attachment = newAttachment;
    }

    @Override
    public String toString() {
        return "connection " + id + " to " + remoteAddress;
    }
}
