package io.lambdafs.rpc.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * An emulated distance: hands on what arrives on a channel after a fixed time, in order, and everything due at once.
 * While more than {@value #MOST_WAITING} bytes wait it reads no more. What waits when the connection is lost is handed on
 * before the loss. One per channel; confined to its event loop.
 */
final class DelayLine extends ChannelInboundHandlerAdapter {
    static final int MOST_WAITING = 16 << 20;

    private final long delayNanos;
    private final LongSupplier nanoTime;
    private final Deque<Arrival> waiting = new ArrayDeque<>();
    private long waitingBytes;
    private boolean paused;

    private record Arrival(Object message, int bytes, long dueNanos) {}

    DelayLine(long delayNanos) {
        this(delayNanos, System::nanoTime);
    }

    DelayLine(long delayNanos, LongSupplier nanoTime) {
        this.delayNanos = delayNanos;
        this.nanoTime = nanoTime;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        int bytes = message instanceof ByteBuf buffer ? buffer.readableBytes() : 0;
        waiting.add(new Arrival(message, bytes, nanoTime.getAsLong() + delayNanos));
        waitingBytes += bytes;
        if (waiting.size() == 1) {
            wake(context, delayNanos);
        }
        if (waitingBytes > MOST_WAITING && !paused) {
            paused = true;
            context.channel().config().setAutoRead(false);
        }
    }

    /** The batch ends when its messages have been handed on. */
    @Override
    public void channelReadComplete(ChannelHandlerContext context) {}

    private void wake(ChannelHandlerContext context, long nanos) {
        context.executor().schedule(() -> handOnDue(context), nanos, TimeUnit.NANOSECONDS);
    }

    private void handOnDue(ChannelHandlerContext context) {
        long now = nanoTime.getAsLong();
        Arrival next = waiting.peek();
        while (next != null && next.dueNanos - now <= 0) {
            handOn(context, waiting.remove());
            next = waiting.peek();
        }
        context.fireChannelReadComplete();
        resume(context);
        if (next != null) {
            wake(context, Math.max(0, next.dueNanos - nanoTime.getAsLong()));
        }
    }

    private void handOn(ChannelHandlerContext context, Arrival arrival) {
        waitingBytes -= arrival.bytes;
        context.fireChannelRead(arrival.message);
    }

    private void resume(ChannelHandlerContext context) {
        if (paused && waitingBytes <= MOST_WAITING / 2) {
            paused = false;
            context.channel().config().setAutoRead(true);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        Arrival next = waiting.poll();
        while (next != null) {
            handOn(context, next);
            next = waiting.poll();
        }
        context.fireChannelReadComplete();
        context.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        waiting.forEach(each -> ReferenceCountUtil.release(each.message));
        waiting.clear();
    }
}
