package io.lambdafs.rpc.netty;

import io.lambdafs.rpc.Codec;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.Message;
import io.lambdafs.rpc.TransportLimits;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.net.SocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection: its face and its life; {@link Sender} and {@link Receiver} do the work. The public methods are safe from any
 * thread; all others run on the event loop. Stages that it returns are completed on the event loop, so what depends on them
 * must not block.
 */
final class NettyConnection implements Connection {
    private static final Logger LOG = LoggerFactory.getLogger(NettyConnection.class);
    private static final AtomicLong IDS = new AtomicLong();

    /** What every connection of a listener or dialler is given. */
    record Settings(Codec codec, TransportLimits limits, ConnectionHandler handler) {}

    private final long id = IDS.incrementAndGet();
    private final Channel channel;
    private final EventLoop loop;
    private final ConnectionHandler handler;
    private final SocketAddress remoteAddress;
    private final Sender sender;
    private final Receiver receiver;
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private volatile boolean open;
    private volatile boolean authenticated;
    private volatile @Nullable Object attachment;

    /** Called on the event loop, before the channel is active. */
    NettyConnection(Channel channel, SocketAddress remoteAddress, Settings settings) {
        this.channel = channel;
        this.loop = channel.eventLoop();
        this.handler = settings.handler();
        this.remoteAddress = remoteAddress;
        sender = new Sender(channel, remoteAddress, settings);
        receiver = new Receiver(this, settings, sender);
    }

    Sender sender() {
        return sender;
    }

    Receiver receiver() {
        return receiver;
    }

    void becameActive() {
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

    void becameInactive() {
        open = false;
        sender.closed();
        try {
            handler.closed(this);
        } catch (RuntimeException e) {
            LOG.error("the handler of {} failed", this, e);
        }
        closed.complete(null);
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
    public void close() {
        open = false;
        if (loop.inEventLoop()) {
            // What was answered before is sent before.
            sender.drain();
            sender.stop();
            channel.close();
            return;
        }
        try {
            loop.execute(this::close);
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
