package io.lambdafs.rpc.http;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObjectAggregator;
import java.util.concurrent.TimeUnit;

/** Collects a request's body up to the limit and answers 413 beyond it. One per connection; event loop only. */
final class BodyLimit extends HttpObjectAggregator {
    /** How long the peer may read a refusal before the connection closes: closing at once would reset it unread. */
    static final long LINGER_MILLIS = 1000;

    private final HttpHandler handler;

    BodyLimit(int maxBodyBytes, HttpHandler handler) {
        super(maxBodyBytes);
        this.handler = handler;
    }

    @Override
    protected void handleOversizedMessage(ChannelHandlerContext ctx, HttpMessage oversized) {
        HttpReply reply =
                handler.refusal(413, "request body larger than allowed: over " + maxContentLength() + " bytes");
        ctx.writeAndFlush(HttpConversation.encode(reply, false)).addListener((ChannelFutureListener) written -> {
            if (!written.isSuccess()) {
                ctx.close();
                return;
            }
            ctx.executor().schedule(() -> ctx.close(), LINGER_MILLIS, TimeUnit.MILLISECONDS);
        });
    }
}
