package io.lambdafs.rpc.http;

import io.lambdafs.rpc.framing.HeldBytes;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;

/** Charges what a peer does not read to the server's budget. Placed before the codec because it counts bytes. One per connection; event loop only. */
final class UnreadReplies extends ChannelDuplexHandler {
    private final HeldBytes.Account account;
    private int bytes;

    UnreadReplies(Channel channel, HeldBytes budget) {
        account = budget.account(
                () -> waitingBytes(channel),
                channel,
                () -> channel.eventLoop().execute(() -> channel.unsafe().close(channel.voidPromise())));
    }

    private static long waitingBytes(Channel channel) {
        ChannelOutboundBuffer unsent = channel.unsafe().outboundBuffer();
        return unsent == null ? 0 : unsent.totalPendingWriteBytes();
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        if (message instanceof ByteBuf buffer) {
            bytes += buffer.readableBytes();
        }
        ctx.write(message, promise);
    }

    @Override
    public void flush(ChannelHandlerContext ctx) {
        ctx.flush();
        account.given(bytes);
        bytes = 0;
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        account.closed();
        ctx.fireChannelInactive();
    }
}
