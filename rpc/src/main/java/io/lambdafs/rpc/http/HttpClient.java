package io.lambdafs.rpc.http;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.DeathWatch;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.netty.OpenChannels;
import io.lambdafs.rpc.tls.Tls;
import io.lambdafs.rpc.tls.TlsFailures;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A small asynchronous HTTP/1.1 client. Each request uses a connection exclusively; idle connections are kept for half
 * a minute for further requests to the same server. HTTPS verifies the server's name. Never resends a request or
 * follows a redirect. Thread-safe; never blocks; runs on a single event loop.
 */
public final class HttpClient implements AutoCloseable {
    private static final int CONNECT_MILLIS = 2_000;
    /** Less than common servers' idle timeouts, so that they do not close a connection under a request. */
    private static final int KEPT_SECONDS = 30;

    private static final long CLOSE_LIMIT_MILLIS = 1_000;

    private final Executor executor;
    private final EventLoopGroup loop;
    private final Bootstrap bootstrap;
    private final Optional<Tls> tls;
    private final Optional<String> name;
    /** Idle connections, most recently used first. On the event loop only, like {@link #trustsAsJvm}. */
    private final Map<Origin, Deque<Channel>> idle = new HashMap<>();

    private final OpenChannels channels = new OpenChannels();

    private @Nullable SslContext trustsAsJvm;

    private volatile boolean closed;

    /**
     * The identity of a server for reusing connections.
     *
     * @param demanded key whose possession it has proved, without TLS
     */
    record Origin(
            boolean secure, String host, int port, @Nullable Secret demanded) {
        static Origin of(HttpRequest request) {
            URI uri = request.uri();
            boolean secure = "https".equalsIgnoreCase(uri.getScheme());
            int port = uri.getPort() >= 0 ? uri.getPort() : secure ? 443 : 80;
            return new Origin(secure, uri.getHost(), port, secure ? null : request.demanded());
        }
    }

    /** Creates a client that trusts the JVM's CAs. */
    public HttpClient(Executor executor) {
        this(executor, Optional.empty());
    }

    /**
     * Creates a client.
     *
     * @param executor runs callbacks and name resolution
     * @param tls trusted CAs; empty for the JVM's
     */
    public HttpClient(Executor executor, Optional<Tls> tls) {
        this(executor, tls, Optional.empty());
    }

    /**
     * Creates a client.
     *
     * @param executor runs callbacks and name resolution
     * @param tls trusted CAs; empty for the JVM's
     * @param name that certificates trusted by {@code tls} must have, whatever the address; empty for the address
     */
    public HttpClient(Executor executor, Optional<Tls> tls, Optional<String> name) {
        this.executor = executor;
        this.tls = tls;
        this.name = name;
        boolean epoll = Epoll.isAvailable();
        loop = new MultiThreadIoEventLoopGroup(
                1,
                DeathWatch.lasting(new DefaultThreadFactory("http-client", true), () -> closed),
                epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
        bootstrap = new Bootstrap()
                .group(loop)
                .channel(epoll ? EpollSocketChannel.class : NioSocketChannel.class)
                .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS);
    }

    /**
     * Sends a request.
     *
     * @return the reply, with any status; fails with {@link ConnectException} if nothing could be sent ({@link
     *     LostBeforeRequestException} if something listens there), {@link java.net.SocketTimeoutException} on timeout,
     *     another {@link java.io.IOException} if the connection broke, and {@link FsException} {@code BAD_FRAME} if the
     *     reply is too large, {@code UNAUTHENTICATED} if the server lacks the demanded key and was sent nothing, {@code
     *     NOT_TRUSTED} if TLS is missing or a certificate is invalid
     */
    public CompletionStage<HttpReply> send(HttpRequest request) {
        HttpExchange exchange = new HttpExchange(request, executor);
        try {
            loop.execute(() -> begin(exchange));
        } catch (RejectedExecutionException closed) {
            exchange.fail(unreachable("the HTTP client is closed", closed));
        }
        return exchange.reply();
    }

    private void begin(HttpExchange exchange) {
        Origin origin = Origin.of(exchange.request());
        exchange.begin(loop);
        Channel kept = poll(origin);
        if (kept != null) {
            converse(kept, exchange);
            return;
        }
        try {
            // Name resolution may be slow.
            executor.execute(() -> resolve(origin, exchange));
        } catch (RuntimeException full) {
            exchange.fail(unreachable("no thread to look " + origin.host() + " up", full));
        }
    }

    private void resolve(Origin origin, HttpExchange exchange) {
        InetSocketAddress address = new InetSocketAddress(origin.host(), origin.port());
        if (address.isUnresolved()) {
            exchange.fail(unreachable("unknown host " + origin.host(), null));
            return;
        }
        try {
            loop.execute(() -> connect(address, origin, exchange));
        } catch (RejectedExecutionException closed) {
            exchange.fail(unreachable("the HTTP client is closed", closed));
        }
    }

    /** Runs on the event loop, so that the listener is called before the connection can close and lose its handlers. */
    private void connect(InetSocketAddress address, Origin origin, HttpExchange exchange) {
        ChannelFuture connecting = bootstrap
                .clone()
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) throws SSLException {
                        addHandlers(channel, origin);
                    }
                })
                .connect(address);
        connecting.addListener((ChannelFutureListener) done -> {
            SslHandler secured = done.channel().pipeline().get(SslHandler.class);
            if (!done.isSuccess()) {
                exchange.fail(unreachable("no connection to " + address, done.cause()));
            } else if (origin.demanded() != null) {
                prove(done.channel(), origin, origin.demanded(), exchange);
            } else if (secured == null) {
                converse(done.channel(), exchange);
            } else {
                secured.handshakeFuture().addListener(shaken -> {
                    if (shaken.isSuccess()) {
                        converse(done.channel(), exchange);
                    } else {
                        FsException why = TlsFailures.of(shaken.cause(), address);
                        exchange.fail(
                                why.code() == ErrorCode.NOT_TRUSTED
                                        ? why
                                        : new LostBeforeRequestException("no TLS with " + address, shaken.cause()));
                    }
                });
            }
        });
    }

    private void addHandlers(Channel channel, Origin origin) throws SSLException {
        channels.add(channel);
        if (origin.secure()) {
            channel.pipeline().addLast(secured(channel, origin));
        }
        channel.pipeline()
                .addLast(new IdleStateHandler(0, 0, KEPT_SECONDS, TimeUnit.SECONDS))
                .addLast(new HttpClientCodec())
                .addLast(new ClientConversation(() -> keep(origin, channel)));
        channel.closeFuture().addListener(closed -> forget(origin, channel));
    }

    private SslHandler secured(Channel channel, Origin origin) throws SSLException {
        if (tls.isPresent()) {
            return tls.get().dialling(channel.alloc(), name.orElse(origin.host()), origin.port());
        }
        SslContext trusted = trustsAsJvm;
        if (trusted == null) {
            trusted = SslContextBuilder.forClient().build();
            trustsAsJvm = trusted;
        }
        return trusted.newHandler(channel.alloc(), origin.host(), origin.port());
    }

    /** Starts the exchange once the server has proved itself; otherwise closes the connection. */
    private void prove(Channel channel, Origin origin, Secret key, HttpExchange exchange) {
        String nonce = ServerProof.nonce();
        URI server = exchange.request().uri();
        HttpExchange question = new HttpExchange(
                ServerProof.question(server, nonce, exchange.request().timeoutNanos()), Runnable::run);
        question.reply().whenComplete((answer, failure) -> {
            forget(origin, channel);
            if (failure == null && ServerProof.isGood(answer, key, origin.port(), nonce)) {
                converse(channel, exchange);
                return;
            }
            channel.close();
            exchange.fail(
                    failure == null
                            ? unproved(server.getRawAuthority(), answer.status())
                            : new LostBeforeRequestException(
                                    "no proof of the server at " + server.getRawAuthority(), failure));
        });
        question.begin(loop);
        converse(channel, question);
    }

    private static FsException unproved(String server, int status) {
        return status == HttpsOnly.UPGRADE_REQUIRED
                ? new FsException(ErrorCode.NOT_TRUSTED, server + ": " + TlsFailures.PLAIN_REFUSED)
                : new FsException(
                        ErrorCode.UNAUTHENTICATED,
                        "who listens at " + server
                                + " has not proved to know this client's key: see which process has that port,"
                                + " and check the key file");
    }

    private static void converse(Channel channel, HttpExchange exchange) {
        channel.pipeline().get(ClientConversation.class).begin(channel, exchange);
    }

    private @Nullable Channel poll(Origin origin) {
        Deque<Channel> kept = idle.get(origin);
        Channel last = kept == null ? null : kept.pollFirst();
        return last != null && last.isActive() ? last : null;
    }

    private void keep(Origin origin, Channel channel) {
        idle.computeIfAbsent(origin, first -> new ArrayDeque<>()).addFirst(channel);
    }

    private void forget(Origin origin, Channel channel) {
        idle.computeIfPresent(origin, (same, kept) -> {
            kept.remove(channel);
            return kept.isEmpty() ? null : kept;
        });
    }

    private static ConnectException unreachable(String message, @Nullable Throwable cause) {
        ConnectException failure = new ConnectException(cause == null ? message : message + ": " + cause.getMessage());
        failure.initCause(cause);
        return failure;
    }

    /** Closes every connection; requests in flight fail. Takes two seconds at most. */
    @Override
    public void close() {
        closed = true;
        channels.end(loop, CLOSE_LIMIT_MILLIS);
    }
}
