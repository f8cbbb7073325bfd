package io.lambdafs.rpc.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Limits the time from a request's first byte to its last, of a connection's first request from the connection's beginning on: tells
 * the handlers behind by {@link Late}. Sees bytes, so it stands before the codec. One per connection; event loop only.
 */
final class RequestDeadline extends ChannelInboundHandlerAdapter {
    /** The event that a request has not come within its time. */
    enum Late {
        LATE
    }

    private final long limitMillis;
    private @Nullable Future<?> timer;

    RequestDeadline(Duration limit) {
        limitMillis = limit.toMillis();
    }

    /** A request has come to its end. */
    void ended() {
        Future<?> running = timer;
        timer = null;
        if (running != null) {
            running.cancel(false);
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        begin(ctx);
        ctx.fireChannelActive();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object bytes) {
        begin(ctx);
        ctx.fireChannelRead(bytes);
    }

    private void begin(ChannelHandlerContext ctx) {
        if (timer == null) {
            timer = ctx.executor()
                    .schedule(
                            () -> {
                                timer = null;
                                ctx.fireUserEventTriggered(Late.LATE);
                            },
                            limitMillis,
                            TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        ended();
        ctx.fireChannelInactive();
    }
}
