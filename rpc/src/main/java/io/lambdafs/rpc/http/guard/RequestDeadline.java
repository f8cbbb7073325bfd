package io.lambdafs.rpc.http.guard;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Limits the time from a request's first byte to its last (for the first request, from the start of the connection),
 * signalling {@link Late} to later handlers. Placed before the codec because it works on bytes. One per connection;
 * event loop only.
 */
public final class RequestDeadline extends ChannelInboundHandlerAdapter {
    /** The event that a request did not arrive in time. */
    public enum Late {
        LATE
    }

    private final long limitMillis;
    private @Nullable Future<?> timer;

    public RequestDeadline(Duration limit) {
        limitMillis = limit.toMillis();
    }

    /** Called at the end of a request. */
    public void ended() {
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
