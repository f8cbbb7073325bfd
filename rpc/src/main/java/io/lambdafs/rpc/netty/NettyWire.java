package io.lambdafs.rpc.netty;

import io.lambdafs.rpc.FileSlice;
import io.lambdafs.rpc.framing.FramedConnection;
import io.lambdafs.rpc.framing.LoopResources;
import io.lambdafs.rpc.framing.Wire;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.DefaultFileRegion;
import io.netty.channel.DefaultMessageSizeEstimator;
import io.netty.channel.EventLoop;
import io.netty.channel.FileRegion;
import io.netty.channel.MessageSizeEstimator;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.FastThreadLocal;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A wire over a Netty channel and its event loop. Thread-safe as specified by {@link Wire}. */
record NettyWire(Channel channel) implements Wire {
    /**
     * The amount charged for an open file, of which no byte is in this process's memory: the system limits the number
     * of open files.
     */
    private static final int SLICE_BYTES = 64 << 10;

    private static final MessageSizeEstimator.Handle BYTES = DefaultMessageSizeEstimator.DEFAULT.newHandle();

    /** Counts unsent messages by the memory, or the open files, that they take. */
    static final MessageSizeEstimator SIZES =
            () -> message -> message instanceof FileRegion ? SLICE_BYTES : BYTES.size(message);

    private static final FastThreadLocal<LoopResources> OF_THREAD = new FastThreadLocal<>();

    /** Creates a connection over a channel that is not active yet; called on its event loop. */
    static FramedConnection connection(Channel channel, SocketAddress remote, FramedConnection.Settings settings) {
        NettyWire wire = new NettyWire(channel);
        return new FramedConnection(wire, resources(channel.eventLoop()), remote, settings);
    }

    /** Returns the resources shared by the connections of the calling event loop. */
    private static LoopResources resources(EventLoop loop) {
        @Nullable LoopResources known = OF_THREAD.getIfExists();
        if (known == null) {
            known = new LoopResources((nanos, task) -> loop.schedule(task, nanos, TimeUnit.NANOSECONDS));
            OF_THREAD.set(known);
        }
        return known;
    }

    /** Returns whether the calling event loop should poll for a message instead of parking. */
    static boolean isMessageNear() {
        @Nullable LoopResources known = OF_THREAD.getIfExists();
        return known != null && known.isMessageNear();
    }

    @Override
    public boolean inLoop() {
        return channel.eventLoop().inEventLoop();
    }

    @Override
    public void execute(Runnable task) {
        channel.eventLoop().execute(task);
    }

    /** {@inheritDoc} A closed channel is not full: what it is given fails as lost, not as one too many. */
    @Override
    public boolean isWritable() {
        return channel.isWritable() || !channel.isOpen();
    }

    @Override
    public long waitingBytes() {
        ChannelOutboundBuffer unsent = channel.unsafe().outboundBuffer();
        return unsent == null ? 0 : unsent.totalPendingWriteBytes();
    }

    @Override
    public ByteBuf buffer(int bytes) {
        return channel.alloc().directBuffer(bytes);
    }

    @Override
    public void send(ByteBuf frames) {
        channel.writeAndFlush(frames, channel.voidPromise());
    }

    /** {@inheritDoc} The system sends it from its cache to the socket; TLS needs the bytes here. */
    @Override
    public void send(ByteBuf frames, FileSlice tail) {
        if (channel.pipeline().get(SslHandler.class) != null) {
            Wire.super.send(frames, tail);
            return;
        }
        channel.write(frames, channel.voidPromise());
        channel.writeAndFlush(
                new DefaultFileRegion(tail.channel(), tail.position(), tail.length()), channel.voidPromise());
    }

    @Override
    public int cost(FileSlice tail) {
        return channel.pipeline().get(SslHandler.class) == null ? SLICE_BYTES : tail.length();
    }

    @Override
    public void close() {
        channel.close();
    }

    /** {@inheritDoc} A plain close would wait until TLS has sent its farewell. */
    @Override
    public void abort() {
        channel.unsafe().close(channel.voidPromise());
    }
}
