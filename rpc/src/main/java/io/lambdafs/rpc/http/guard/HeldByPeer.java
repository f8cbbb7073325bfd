package io.lambdafs.rpc.http.guard;

import io.lambdafs.rpc.framing.HeldBytes;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.DefaultHeaders.NameValidator;
import io.netty.handler.codec.DefaultHeaders.ValueValidator;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;

/**
 * Charges a peer's held memory to the server's budget: replies that it does not read, and headers of a partly sent
 * request head. Placed before the codec because it counts bytes. One per connection; event loop only.
 */
public final class HeldByPeer extends ChannelDuplexHandler {
    /** Memory of a header besides its value. */
    private static final int HEADER_BYTES = 256;

    private final HeldBytes.Account account;
    private int unflushedBytes;
    /** The bytes of the incomplete head. */
    private int headBytes;

    private long heads;

    public HeldByPeer(Channel channel, HeldBytes budget) {
        account = budget.account(
                () -> waitingBytes(channel),
                channel,
                () -> channel.eventLoop().execute(() -> channel.unsafe().close(channel.voidPromise())));
    }

    private static long waitingBytes(Channel channel) {
        ChannelOutboundBuffer unsent = channel.unsafe().outboundBuffer();
        return unsent == null ? 0 : unsent.totalPendingWriteBytes();
    }

    /** Returns a factory of the same headers that counts each header as it arrives. */
    public DefaultHttpHeadersFactory counting(DefaultHttpHeadersFactory headers) {
        NameValidator<CharSequence> names = headers.getNameValidator();
        ValueValidator<CharSequence> values = headers.getValueValidator();
        return headers.withNameValidator(name -> {
                    headBytes += HEADER_BYTES;
                    names.validateName(name);
                })
                .withValueValidator(value -> {
                    headBytes += value.length();
                    values.validate(value);
                });
    }

    /**
     * Returns the handler to place after the codec, which sees when a head, or the headers at a body's end, are whole.
     */
    public ChannelHandler behindCodec() {
        return new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext ctx, Object message) {
                if (message instanceof HttpRequest || message instanceof LastHttpContent) {
                    headBytes = 0;
                    heads++;
                }
                ctx.fireChannelRead(message);
            }
        };
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        ctx.fireChannelReadComplete();
        account.left(headBytes, heads);
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        if (message instanceof ByteBuf buffer) {
            unflushedBytes += buffer.readableBytes();
        }
        ctx.write(message, promise);
    }

    @Override
    public void flush(ChannelHandlerContext ctx) {
        ctx.flush();
        account.given(unflushedBytes);
        unflushedBytes = 0;
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        account.closed();
        ctx.fireChannelInactive();
    }
}
