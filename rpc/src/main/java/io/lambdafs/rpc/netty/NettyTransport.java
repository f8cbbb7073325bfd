package io.lambdafs.rpc.netty;

import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.DeathWatch;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.framing.Dialled;
import io.lambdafs.rpc.framing.Failures;
import io.lambdafs.rpc.framing.FramedConnection;
import io.lambdafs.rpc.framing.HeldBytes;
import io.lambdafs.rpc.message.Codec;
import io.lambdafs.rpc.tls.Tls;
import io.lambdafs.rpc.tls.TlsPeers;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.SelectStrategyFactory;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.spi.SelectorProvider;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@link Transport} on Netty, with epoll if available, else NIO. Owns its event loops, daemon threads that {@link
 * #close} ends. Thread-safe.
 */
public final class NettyTransport implements Transport {
    private static final Logger LOG = LoggerFactory.getLogger(NettyTransport.class);
    private static final int ACCEPT_BACKLOG = 1_024;
    private static final int MOST_RECEIVED_AT_ONCE = 256 << 10;
    private static final int CLOSE_WAIT_SECONDS = 5;
    /** No limit. */
    private static final int EVENTS_AT_ONCE = 0;
    /** The limit of all supported systems. */
    private static final int MAX_SOCKET_PATH_BYTES = 103;

    private final Codec codec;
    private final TransportLimits limits;
    private final ByteBufAllocator allocator;
    private final EventLoopGroup loops;
    private final Scheduler scheduler;
    private final boolean epoll;
    private final HeldBytes heldBytes;
    private final AtomicInteger accepted = new AtomicInteger();
    private final OpenChannels channels = new OpenChannels();

    /**
     * Creates a transport with its own event loops.
     *
     * @param codec knows all messages of both ends
     * @param threads number of event loops, at least 1
     * @param threadNamePrefix of the event loops' threads
     */
    public NettyTransport(Codec codec, int threads, String threadNamePrefix, TransportLimits limits) {
        this(codec, limits, PooledByteBufAllocator.DEFAULT, new Threads(threads, threadNamePrefix, true));
    }

    /** The event loops to create; {@code nativeIo} false uses NIO even if epoll is available. */
    record Threads(int count, String namePrefix, boolean nativeIo) {}

    NettyTransport(Codec codec, TransportLimits limits, ByteBufAllocator allocator, Threads threads) {
        this.codec = codec;
        this.limits = limits;
        this.allocator = allocator;
        heldBytes = new HeldBytes(limits.maxHeldBytes());
        epoll = threads.nativeIo() && Epoll.isAvailable();
        SelectStrategyFactory select = () -> new YieldBeforeSleep(NettyWire::isMessageNear);
        IoHandlerFactory io = epoll
                ? EpollIoHandler.newFactory(EVENTS_AT_ONCE, select)
                : NioIoHandler.newFactory(SelectorProvider.provider(), select);
        loops = new MultiThreadIoEventLoopGroup(
                threads.count(),
                DeathWatch.lasting(new DefaultThreadFactory(threads.namePrefix(), true), channels::isClosed),
                io);
        scheduler = new LoopScheduler(loops.next());
    }

    /**
     * Returns a scheduler that runs all tasks on one event loop, so replies from there need no thread hand-off. Tasks
     * must not block. After {@link #close}, new tasks are rejected with {@code NOT_READY} and pending timed tasks do
     * not run. The queue is unbounded.
     */
    public Scheduler scheduler() {
        return scheduler;
    }

    @Override
    public Transport secured(Tls tls, TlsPeers peers) {
        return new PreparedTransport(this, Preparation.of(tls, peers));
    }

    @Override
    public Transport distant(Duration roundTrip) {
        return roundTrip.isZero() ? this : new PreparedTransport(this, Preparation.NONE.at(roundTrip));
    }

    @Override
    public CompletionStage<Listener> listen(InetSocketAddress address, ConnectionHandler handler) {
        return listen(address, handler, Preparation.NONE);
    }

    CompletionStage<Listener> listen(InetSocketAddress address, ConnectionHandler handler, Preparation preparation) {
        ServerBootstrap bootstrap = server(handler, preparation)
                .channel(epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true);
        return bind(bootstrap, address).thenApply(channel -> {
            NettyListener opened = new NettyListener(channel);
            LOG.debug("listening on {} ({})", opened.address(), epoll ? "epoll" : "nio");
            return opened;
        });
    }

    @Override
    public CompletionStage<LocalListener> listen(Path socket, ConnectionHandler handler) {
        if (isTooLong(socket)) {
            return CompletableFuture.failedFuture(Failures.cannotListen(local(socket), tooLong()));
        }
        ServerBootstrap bootstrap = server(handler, Preparation.NONE)
                .channel(epoll ? EpollServerDomainSocketChannel.class : NioServerDomainSocketChannel.class);
        return bind(bootstrap, local(socket)).thenApply(channel -> () -> {
            CompletableFuture<Void> ended = new CompletableFuture<>();
            channel.close().addListener(closed -> ended.complete(null));
            return ended;
        });
    }

    private ServerBootstrap server(ConnectionHandler handler, Preparation preparation) {
        return new ServerBootstrap()
                .group(loops)
                .option(ChannelOption.SO_BACKLOG, ACCEPT_BACKLOG)
                .childOption(ChannelOption.ALLOCATOR, allocator)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, waterMark())
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, receiving())
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        accept(channel, handler, preparation);
                    }
                });
    }

    private CompletionStage<Channel> bind(ServerBootstrap bootstrap, SocketAddress address) {
        CompletableFuture<Channel> listening = new CompletableFuture<>();
        if (channels.isClosed()) {
            listening.completeExceptionally(Failures.transportClosed("listen on", address));
            return listening;
        }
        bootstrap.bind(address).addListener((ChannelFuture bound) -> {
            if (bound.isSuccess()) {
                channels.add(bound.channel());
                listening.complete(bound.channel());
            } else {
                listening.completeExceptionally(Failures.cannotListen(address, bound.cause()));
            }
        });
        return listening;
    }

    /** Returns the address of a Unix domain socket for this transport's channels. */
    private SocketAddress local(Path socket) {
        return epoll ? new DomainSocketAddress(socket.toString()) : UnixDomainSocketAddress.of(socket);
    }

    /** Returns whether a path is too long; the system would truncate it to another socket's name. */
    private static boolean isTooLong(Path socket) {
        return socket.toString().getBytes(StandardCharsets.UTF_8).length > MAX_SOCKET_PATH_BYTES;
    }

    private static IOException tooLong() {
        return new IOException("the path is longer than " + MAX_SOCKET_PATH_BYTES + " bytes");
    }

    private void accept(Channel channel, ConnectionHandler handler, Preparation preparation) {
        SocketAddress remote = channel.remoteAddress();
        if (accepted.incrementAndGet() > limits.maxConnections()) {
            accepted.decrementAndGet();
            LOG.warn("a connection from {} is closed: {} are open", remote, limits.maxConnections());
            channel.close();
            return;
        }
        channel.closeFuture().addListener(ended -> accepted.decrementAndGet());
        preparation.accepted(channel);
        FramedConnection connection = initialise(channel, remote, handler);
        channel.eventLoop()
                .schedule(
                        () -> connection.demandProof(limits.proofTimeout()),
                        limits.proofTimeout().toMillis(),
                        TimeUnit.MILLISECONDS);
    }

    @Override
    public CompletionStage<Connection> connect(InetSocketAddress address, ConnectionHandler handler) {
        return connect(address, handler, Preparation.NONE);
    }

    CompletionStage<Connection> connect(InetSocketAddress address, ConnectionHandler handler, Preparation preparation) {
        Bootstrap bootstrap = new Bootstrap()
                .channel(epoll ? EpollSocketChannel.class : NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        limits.connectTimeout().toMillis());
        return dial(bootstrap, address, handler, (channel, failed) -> preparation.dialled(channel, address, failed));
    }

    @Override
    public CompletionStage<Connection> connect(Path socket, ConnectionHandler handler) {
        if (isTooLong(socket)) {
            return CompletableFuture.failedFuture(Failures.cannotConnect(local(socket), tooLong()));
        }
        Bootstrap bootstrap =
                new Bootstrap().channel(epoll ? EpollDomainSocketChannel.class : NioDomainSocketChannel.class);
        return dial(bootstrap, local(socket), handler, (channel, failed) -> {});
    }

    private CompletionStage<Connection> dial(
            Bootstrap bootstrap,
            SocketAddress address,
            ConnectionHandler handler,
            BiConsumer<Channel, Consumer<FsException>> preparation) {
        CompletableFuture<Connection> result = new CompletableFuture<>();
        if (channels.isClosed()) {
            result.completeExceptionally(Failures.transportClosed("connect to", address));
            return result;
        }
        Dialled dialled = new Dialled(handler, result);
        bootstrap
                .group(loops)
                .option(ChannelOption.ALLOCATOR, allocator)
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, waterMark())
                .option(ChannelOption.RECVBUF_ALLOCATOR, receiving())
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        preparation.accept(channel, result::completeExceptionally);
                        initialise(channel, address, dialled);
                    }
                });
        bootstrap.connect(address).addListener(connected -> {
            if (!connected.isSuccess()) {
                result.completeExceptionally(Failures.cannotConnect(address, connected.cause()));
            }
        });
        return result;
    }

    private FramedConnection initialise(Channel channel, SocketAddress remote, ConnectionHandler handler) {
        FramedConnection.Settings settings = new FramedConnection.Settings(codec, limits, handler, heldBytes);
        FramedConnection connection = NettyWire.connection(channel, remote, settings);
        channel.config().setMessageSizeEstimator(NettyWire.SIZES);
        Receiving receiving = null;
        if (isReadAtOnce(channel)) {
            receiving = new Receiving(receiving(), connection);
            channel.config().setRecvByteBufAllocator(receiving);
        }
        channel.pipeline().addLast(new FrameDecoder(connection, receiving));
        channels.add(channel);
        return connection;
    }

    /** Returns whether bytes reach the decoder as they come from the socket. */
    private static boolean isReadAtOnce(Channel channel) {
        return channel.pipeline().get(SslHandler.class) == null
                && channel.pipeline().get(DelayLine.class) == null;
    }

    /** Grows with the amount received at once, so that blocks come in few pieces. */
    private static RecvByteBufAllocator receiving() {
        return new AdaptiveRecvByteBufAllocator(64, 2 << 10, MOST_RECEIVED_AT_ONCE);
    }

    private WriteBufferWaterMark waterMark() {
        return new WriteBufferWaterMark(limits.lowWaterMark(), limits.highWaterMark());
    }

    /** Closes everything and waits up to 10 s for the event loops to end, unless called on one of them. */
    @Override
    public void close() {
        channels.close()
                .orTimeout(CLOSE_WAIT_SECONDS, TimeUnit.SECONDS)
                .whenComplete((done, late) -> loops.shutdownGracefully(0, 1, TimeUnit.SECONDS));
        for (EventExecutor loop : loops) {
            if (loop.inEventLoop()) {
                return;
            }
        }
        if (!loops.terminationFuture().awaitUninterruptibly(2 * CLOSE_WAIT_SECONDS, TimeUnit.SECONDS)) {
            LOG.warn("event loops still run {} s after their transport was closed", 2 * CLOSE_WAIT_SECONDS);
        }
    }
}
