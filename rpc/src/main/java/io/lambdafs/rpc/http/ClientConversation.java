package io.lambdafs.rpc.http;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.timeout.IdleStateEvent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An HTTP client's connection: sends requests sequentially and collects their replies. Event loop only. */
final class ClientConversation extends SimpleChannelInboundHandler<HttpObject> {
    private final Runnable keep;
    private @Nullable HttpExchange current;
    private @Nullable HttpResponse head;
    private ByteArrayOutputStream body = new ByteArrayOutputStream();

    /** @param keep called when the connection may have its next request */
    ClientConversation(Runnable keep) {
        this.keep = keep;
    }

    /** Sends the exchange's request; the connection must be idle. */
    void begin(Channel channel, HttpExchange exchange) {
        if (exchange.hasEnded()) {
            keep.run();
            return;
        }
        current = exchange;
        exchange.reply().whenComplete((reply, failure) -> {
            if (failure != null) {
                // Anything still to come is ignored.
                channel.close();
            }
        });
        channel.writeAndFlush(encode(exchange.request())).addListener((ChannelFutureListener) written -> {
            if (!written.isSuccess()) {
                fail(written.cause());
            }
        });
    }

    private static FullHttpRequest encode(HttpRequest request) {
        URI uri = request.uri();
        String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        String target = uri.getRawQuery() == null ? path : path + "?" + uri.getRawQuery();
        FullHttpRequest message = new DefaultFullHttpRequest(
                HttpVersion.HTTP_1_1,
                HttpMethod.valueOf(request.method()),
                target,
                Unpooled.wrappedBuffer(request.body()));
        request.headers().forEach((name, value) -> message.headers().set(name, value));
        message.headers().set(HttpHeaderNames.HOST, uri.getRawAuthority());
        if (request.body().length > 0 || !request.method().equals("GET")) {
            HttpUtil.setContentLength(message, request.body().length);
        }
        return message;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, HttpObject part) {
        if (part.decoderResult().isFailure()) {
            fail(part.decoderResult().cause());
            ctx.close();
            return;
        }
        if (part instanceof HttpResponse response) {
            head = response.status().codeClass() == HttpStatusClass.INFORMATIONAL ? null : response;
            body = new ByteArrayOutputStream();
        }
        if (part instanceof HttpContent content) {
            collect(ctx, content);
        }
    }

    private void collect(ChannelHandlerContext ctx, HttpContent content) {
        HttpExchange exchange = current;
        HttpResponse response = head;
        if (response == null) {
            return;
        }
        if (exchange == null) {
            ctx.close();
            return;
        }
        int most = exchange.request().maxReplyBytes();
        if (body.size() + content.content().readableBytes() > most) {
            fail(new FsException(ErrorCode.BAD_FRAME, "an HTTP reply of more than " + most + " bytes"));
            ctx.close();
            return;
        }
        body.writeBytes(ByteBufUtil.getBytes(content.content()));
        if (content instanceof LastHttpContent) {
            end(ctx, exchange, response);
        }
    }

    private void end(ChannelHandlerContext ctx, HttpExchange exchange, HttpResponse response) {
        HttpReply reply;
        try {
            reply = reply(response, body.toByteArray());
        } catch (IllegalArgumentException foreign) {
            fail(foreign);
            ctx.close();
            return;
        }
        current = null;
        head = null;
        // Before notifying the caller, so that the connection is found free; one whose reply was late is about to be
        // closed.
        if (HttpUtil.isKeepAlive(response) && !exchange.hasEnded()) {
            keep.run();
        } else {
            ctx.close();
        }
        exchange.end(reply);
    }

    private static HttpReply reply(HttpResponse response, byte[] body) {
        Map<String, String> headers = new HashMap<>();
        response.headers()
                .forEach(header -> headers.putIfAbsent(header.getKey().toLowerCase(Locale.ROOT), header.getValue()));
        String contentType = headers.getOrDefault("content-type", "");
        return new HttpReply(response.status().code(), contentType, body, headers);
    }

    private void fail(Throwable cause) {
        HttpExchange exchange = current;
        current = null;
        if (exchange != null) {
            exchange.fail(
                    cause instanceof IOException || cause instanceof FsException
                            ? (Exception) cause
                            : new IOException("the HTTP exchange failed: " + cause.getMessage(), cause));
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        fail(new IOException("the connection was closed before the reply"));
        ctx.fireChannelInactive();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        // A request in progress has its own time limit.
        if (event instanceof IdleStateEvent && current == null) {
            ctx.close();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, @Nullable Throwable cause) {
        if (cause != null) {
            fail(cause);
        }
        ctx.close();
    }
}
