package io.lambdafs.rpc.http;

import io.lambdafs.rpc.http.body.ReplySource;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends one reply: at once, or piece by piece from its source, the next one when the last is sent. Event loop only. */
final class ReplySending {
    private static final Logger LOG = LoggerFactory.getLogger(ReplySending.class);

    private final ChannelHandlerContext ctx;
    private final ReplySource source;
    private final ChannelFutureListener sent;
    private long sentBytes;

    private ReplySending(ChannelHandlerContext ctx, ReplySource source, ChannelFutureListener sent) {
        this.ctx = ctx;
        this.source = source;
        this.sent = sent;
    }

    /** @param sent told at the end; not if the connection ends before */
    static void send(ChannelHandlerContext ctx, HttpReply reply, boolean keepAlive, ChannelFutureListener sent) {
        ReplySource source = reply.source();
        if (source == null) {
            ctx.writeAndFlush(encode(reply, keepAlive)).addListener(sent);
            return;
        }
        HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(reply.status()));
        headers(head, reply, source.length(), keepAlive);
        ctx.write(head);
        new ReplySending(ctx, source, sent).next();
    }

    static FullHttpResponse encode(HttpReply reply, boolean keepAlive) {
        FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(reply.status()), Unpooled.wrappedBuffer(reply.body()));
        headers(response, reply, reply.body().length, keepAlive);
        return response;
    }

    private static void headers(HttpResponse head, HttpReply reply, long length, boolean keepAlive) {
        reply.headers().forEach((name, value) -> head.headers().set(name, value));
        if (!reply.contentType().isEmpty()) {
            head.headers().set(HttpHeaderNames.CONTENT_TYPE, reply.contentType());
        }
        if (!head.headers().contains(HttpHeaderNames.CONTENT_LENGTH)) {
            // The reply to a HEAD tells the length of what it does not send.
            HttpUtil.setContentLength(head, length);
        }
        if (!keepAlive) {
            head.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        }
    }

    private void next() {
        if (sentBytes >= source.length()) {
            source.close();
            ctx.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT).addListener(sent);
            return;
        }
        source.next()
                .whenComplete((piece, problem) -> ctx.executor().execute(() -> {
                    if (problem == null) {
                        send(piece);
                    } else {
                        cut(problem);
                    }
                }));
    }

    private void send(byte[] piece) {
        sentBytes += piece.length;
        ctx.writeAndFlush(new DefaultHttpContent(Unpooled.wrappedBuffer(piece))).addListener(this::written);
    }

    private void written(Future<? super Void> piece) {
        if (piece.isSuccess()) {
            next();
        } else {
            cut(piece.cause());
        }
    }

    private void cut(Throwable why) {
        LOG.debug("A reply ends after {} of {} bytes", sentBytes, source.length(), why);
        source.close();
        ctx.close();
    }
}
