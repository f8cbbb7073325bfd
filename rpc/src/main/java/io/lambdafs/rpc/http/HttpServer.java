package io.lambdafs.rpc.http;

import io.lambdafs.rpc.DeathWatch;
import io.lambdafs.rpc.framing.HeldBytes;
import io.lambdafs.rpc.http.guard.HeldByPeer;
import io.lambdafs.rpc.http.guard.RequestDeadline;
import io.lambdafs.rpc.netty.OpenChannels;
import io.lambdafs.rpc.tls.Tls;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** A small asynchronous HTTP/1.1 server with its own event loops (epoll if available). Thread-safe. */
public final class HttpServer implements AutoCloseable {
    private static final long CLOSE_LIMIT_MILLIS = 1000;

    private final EventLoopGroup loops;
    private final AtomicBoolean closing;
    private final InetSocketAddress address;
    private final OpenChannels channels;
    private final HeldBytes held;

    private HttpServer(
            EventLoopGroup loops,
            AtomicBoolean closing,
            OpenChannels channels,
            InetSocketAddress address,
            HeldBytes held) {
        this.loops = loops;
        this.channels = channels;
        this.closing = closing;
        this.address = address;
        this.held = held;
    }

    /** Starts listening, without TLS. */
    public static HttpServer start(InetSocketAddress address, HttpHandler handler, HttpLimits limits)
            throws IOException {
        return start(address, handler, limits, Optional.empty());
    }

    /**
     * Starts listening; returns once connections are accepted.
     *
     * @param address to listen on; port 0 takes any free one
     * @param tls for HTTPS, without client certificates
     * @throws AddressUnavailableException when the address is in use or is not this machine's
     */
    public static HttpServer start(InetSocketAddress address, HttpHandler handler, HttpLimits limits, Optional<Tls> tls)
            throws IOException {
        boolean epoll = Epoll.isAvailable();
        IoHandlerFactory io = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        Class<? extends ServerChannel> channel = epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
        AtomicBoolean closing = new AtomicBoolean();
        EventLoopGroup loops = new MultiThreadIoEventLoopGroup(
                limits.threads(), DeathWatch.lasting(new DefaultThreadFactory("http", true), closing::get), io);
        ServerLoad load = new ServerLoad(limits);
        HeldBytes held = new HeldBytes(limits.maxHeldBytes());
        OpenChannels channels = new OpenChannels();
        ChannelFuture bound = new ServerBootstrap()
                .group(loops)
                .channel(channel)
                .option(ChannelOption.SO_BACKLOG, 512)
                .option(ChannelOption.SO_REUSEADDR, true)
                // As the transport does, so that a process needs only one kind.
                .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel ch) {
                        channels.add(ch);
                        tls.ifPresent(secured -> ch.pipeline().addLast(new HttpsOnly(secured)));
                        addHandlers(ch, new HeldByPeer(ch, held), handler, load);
                    }
                })
                .bind(address)
                .awaitUninterruptibly();
        Throwable failure = bound.cause();
        if (failure != null) {
            stop(loops, closing, channels);
            throw new AddressUnavailableException(address, failure);
        }
        channels.add(bound.channel());
        return new HttpServer(
                loops, closing, channels, (InetSocketAddress) bound.channel().localAddress(), held);
    }

    private static void addHandlers(SocketChannel ch, HeldByPeer held, HttpHandler handler, ServerLoad load) {
        HttpLimits limits = load.limits();
        HttpDecoderConfig decoder = new HttpDecoderConfig()
                .setMaxInitialLineLength(limits.maxHeaderBytes())
                .setMaxHeaderSize(limits.maxHeaderBytes())
                .setHeadersFactory(held.counting(DefaultHttpHeadersFactory.headersFactory()))
                .setTrailersFactory(held.counting(DefaultHttpHeadersFactory.trailersFactory()));
        RequestDeadline deadline = new RequestDeadline(limits.requestTimeout());
        ch.pipeline()
                .addLast(held)
                .addLast(new IdleStateHandler(0, 0, limits.idleTimeout().toMillis(), TimeUnit.MILLISECONDS))
                .addLast(deadline)
                .addLast(new HttpServerCodec(decoder))
                .addLast(held.behindCodec())
                .addLast(new HeadGate(handler, limits, load, deadline))
                .addLast(new HttpObjectAggregator(limits.maxBodyBytes()))
                .addLast(new HttpConversation(handler, load));
    }

    /** Returns the listen address, with the actual port. */
    public InetSocketAddress address() {
        return address;
    }

    public int port() {
        return address.getPort();
    }

    long heldBytes() {
        return held.total();
    }

    /** Stops listening and closes every connection; requests in progress are cut off. Takes two seconds at most. */
    @Override
    public void close() {
        stop(loops, closing, channels);
    }

    private static void stop(EventLoopGroup loops, AtomicBoolean closing, OpenChannels channels) {
        closing.set(true);
        channels.end(loops, CLOSE_LIMIT_MILLIS);
    }
}
