package io.lambdafs.rpc.http;

import io.lambdafs.rpc.http.HttpHandler.Admission.Collected;
import io.lambdafs.rpc.http.HttpHandler.Admission.Refused;
import io.lambdafs.rpc.http.guard.RequestDeadline;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes a server connection's requests to the handler one by one and writes the replies in order. While one is being
 * handled, or its reply waits to be read by the peer, pipelined ones wait and reading stops, so the queue is bounded by
 * one read buffer. Event loop only.
 */
final class HttpConversation extends SimpleChannelInboundHandler<Object> {
    private static final Logger LOG = LoggerFactory.getLogger(HttpConversation.class);

    /**
     * The time in which the peer may read a refusal before the connection closes: closing at once would reset it
     * unread.
     */
    private static final long LINGER_MILLIS = 1000;

    private final HttpHandler handler;
    private final ServerLoad load;
    /** Complete requests, each after its admission, and at the end one refused by its head. */
    private final Deque<Object> pipelined = new ArrayDeque<>();

    private boolean handling;
    private boolean replying;
    private boolean closing;
    /** True while a pipelined request is being taken. */
    private boolean taking;
    /** Answers the next complete request; null for one that was not admitted, since it asks for the server's proof. */
    private @Nullable Collected admitted;

    HttpConversation(HttpHandler handler, ServerLoad load) {
        this.handler = handler;
        this.load = load;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        if (!load.connected()) {
            refuseAndClose(ctx, 503, "too many connections");
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        load.disconnected();
        pipelined.forEach(this::drop);
        pipelined.clear();
        ctx.fireChannelInactive();
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, Object request) {
        ReferenceCountUtil.retain(request);
        if (closing) {
            drop(request);
        } else if (isBusy()) {
            pipelined.add(request);
            ctx.channel().config().setAutoRead(false);
        } else {
            take(ctx, request);
        }
    }

    private boolean isBusy() {
        return handling || replying;
    }

    /** Releases the resources of a request that will not be handled. */
    private void drop(Object request) {
        if (request instanceof FullHttpRequest whole) {
            load.gaveBack(whole.content().readableBytes());
            whole.release();
        }
    }

    private void take(ChannelHandlerContext ctx, Object request) {
        if (request instanceof Refused refusal) {
            refuseAndClose(ctx, refusal.reply());
        } else if (request instanceof HeadGate.Begun begun) {
            handle(ctx, begun);
        } else if (request instanceof Collected admission) {
            admitted = admission;
        } else if (request instanceof FullHttpRequest whole) {
            try {
                handle(ctx, whole);
            } finally {
                if (!handling) {
                    load.gaveBack(whole.content().readableBytes());
                }
                whole.release();
            }
        }
    }

    private void handle(ChannelHandlerContext ctx, HeadGate.Begun taken) {
        if (!load.begun()) {
            taken.body().drop();
            refuseAndClose(ctx, 503, "too many requests in flight");
            return;
        }
        handling = true;
        answer(() -> taken.admission().answer().apply(taken.body())).whenComplete((reply, problem) -> {
            HttpReply sent = problem == null ? reply : failure(problem);
            load.ended();
            ctx.executor().execute(() -> end(ctx, sent, taken));
        });
    }

    private void end(ChannelHandlerContext ctx, HttpReply reply, HeadGate.Begun taken) {
        handling = false;
        if (taken.body().isOver()) {
            reply(ctx, reply, taken.keepAlive());
            return;
        }
        // What comes of the body meanwhile is read, so that the peer gets to read the reply.
        taken.body().drop();
        ctx.channel().config().setAutoRead(true);
        refuseAndClose(ctx, reply);
    }

    private void handle(ChannelHandlerContext ctx, FullHttpRequest request) {
        boolean keepAlive = HttpUtil.isKeepAlive(request);
        if (!request.decoderResult().isSuccess()) {
            refuseMalformed(ctx, request.decoderResult().cause());
            return;
        }
        HttpCall call;
        try {
            call = callOf(ctx, request, ByteBufUtil.getBytes(request.content()));
        } catch (IllegalArgumentException e) {
            refuseAndClose(ctx, 400, "malformed request: " + e.getMessage());
            return;
        }
        Collected admission = admitted;
        admitted = null;
        if (admission == null) {
            int port = ((InetSocketAddress) ctx.channel().localAddress()).getPort();
            reply(ctx, ServerProof.answer(call, handler.keys(), port), keepAlive);
            return;
        }
        if (!load.begun()) {
            reply(ctx, handler.refusal(503, "too many requests in flight"), keepAlive);
            return;
        }
        handling = true;
        StreamedReply streamed = streamed(call);
        if (streamed != null) {
            load.gaveBack(call.body().length);
            begin(ctx, streamed);
            return;
        }
        answer(() -> admission.answer().apply(call)).whenComplete((reply, problem) -> {
            HttpReply sent = problem == null ? reply : failure(problem);
            load.ended();
            load.gaveBack(call.body().length);
            // Never on this stack: pipelined calls answered at once would nest.
            ctx.executor().execute(() -> end(ctx, sent, keepAlive));
        });
    }

    private @Nullable StreamedReply streamed(HttpCall call) {
        try {
            return handler.stream(call).orElse(null);
        } catch (RuntimeException e) {
            LOG.warn("HTTP handler failed", e);
            return null;
        }
    }

    /** Starts a stream, after which the connection answers nothing else. */
    private void begin(ChannelHandlerContext ctx, StreamedReply streamed) {
        closing = true;
        ctx.channel().closeFuture().addListener(closed -> load.ended());
        HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        streamed.headers().forEach((name, value) -> head.headers().set(name, value));
        head.headers().set(HttpHeaderNames.CONTENT_TYPE, streamed.contentType());
        head.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        HttpUtil.setTransferEncodingChunked(head, true);
        ctx.writeAndFlush(head);
        streamed.opened().accept(new HttpStream(ctx.channel()));
    }

    private void end(ChannelHandlerContext ctx, HttpReply reply, boolean keepAlive) {
        handling = false;
        reply(ctx, reply, keepAlive);
    }

    /** Continues with pipelined requests, unless a caller further down the stack already does. */
    private void next(ChannelHandlerContext ctx) {
        if (taking) {
            return;
        }
        taking = true;
        while (!isBusy() && !closing && !pipelined.isEmpty()) {
            take(ctx, pipelined.remove());
        }
        taking = false;
        if (!isBusy()) {
            ctx.channel().config().setAutoRead(true);
        }
    }

    private static CompletionStage<HttpReply> answer(Supplier<CompletionStage<HttpReply>> answering) {
        try {
            return answering.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    /** Converts a request for the handler; fails with {@code IllegalArgumentException} if malformed. */
    static HttpCall callOf(ChannelHandlerContext ctx, HttpRequest request, byte[] body) {
        QueryStringDecoder uri = RequestUri.decoder(request.uri());
        Map<String, String> query = new HashMap<>();
        uri.parameters().forEach((name, values) -> query.put(name, values.get(0)));
        Map<String, String> headers = new HashMap<>();
        request.headers()
                .forEach(header -> headers.putIfAbsent(header.getKey().toLowerCase(Locale.ROOT), header.getValue()));
        return new HttpCall(request.method().name(), uri.path(), query, headers, body, (InetSocketAddress)
                ctx.channel().remoteAddress());
    }

    private void refuseMalformed(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof TooLongHttpHeaderException) {
            refuseAndClose(ctx, 431, "request headers larger than allowed");
        } else if (cause instanceof TooLongHttpLineException) {
            refuseAndClose(ctx, 414, "request line longer than allowed");
        } else {
            refuseAndClose(ctx, 400, "malformed request");
        }
    }

    private HttpReply failure(Throwable problem) {
        LOG.warn("HTTP handler failed", problem);
        return handler.refusal(500, "internal error");
    }

    private void refuseAndClose(ChannelHandlerContext ctx, int status, String message) {
        refuseAndClose(ctx, handler.refusal(status, message));
    }

    private void refuseAndClose(ChannelHandlerContext ctx, HttpReply refusal) {
        closing = true;
        ctx.writeAndFlush(ReplySending.encode(refusal, false));
        ctx.executor().schedule(() -> ctx.close(), LINGER_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void reply(ChannelHandlerContext ctx, HttpReply reply, boolean keepAlive) {
        closing |= !keepAlive;
        replying = true;
        ReplySending.send(ctx, reply, keepAlive, written -> {
            replying = false;
            if (!keepAlive || !written.isSuccess()) {
                ctx.close();
            } else {
                next(ctx);
            }
        });
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        // A connection with a long call is not idle: the handler bounds its time.
        if (event instanceof IdleStateEvent && !handling) {
            ctx.close();
        } else if (event == RequestDeadline.Late.LATE && !isBusy() && !closing) {
            refuseAndClose(ctx, 408, "the request did not come within its time");
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, @Nullable Throwable cause) {
        if (!(cause instanceof IOException)) {
            LOG.debug("HTTP connection of {} failed", ctx.channel().remoteAddress(), cause);
        }
        ctx.close();
    }
}
