package io.lambdafs.rpc.http;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.rpc.tls.Tls;
import io.lambdafs.rpc.tls.TlsFailures;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.OptionalSslHandler;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.TimeUnit;

/** Requires TLS for HTTP; plain requests are answered with 426 and advice. Confined to the event loop. */
final class HttpsOnly extends OptionalSslHandler {
    /** Status of the reply to plain HTTP if TLS is required. */
    static final int UPGRADE_REQUIRED = 426;

    private static final long LINGER_MILLIS = 200;

    HttpsOnly(Tls tls) {
        super(tls.open());
    }

    @Override
    protected ChannelHandler newNonSslHandler(ChannelHandlerContext context) {
        return new Refusal();
    }

    private static final class Refusal extends ChannelInboundHandlerAdapter {
        private boolean answered;

        @Override
        public void channelRead(ChannelHandlerContext context, Object bytes) {
            ReferenceCountUtil.release(bytes);
            if (answered) {
                return;
            }
            answered = true;
            String body = "{\"error\":\"" + ErrorCode.NOT_TRUSTED.label() + ": " + TlsFailures.PLAIN_REFUSED + "\"}";
            ByteBuf answer = ByteBufUtil.writeAscii(
                    context.alloc(),
                    "HTTP/1.1 " + UPGRADE_REQUIRED + " Upgrade Required\r\nUpgrade: TLS/1.3, HTTP/1.1\r\n"
                            + "Connection: Upgrade, close\r\nContent-Type: application/json\r\nContent-Length: "
                            + body.length() + "\r\n\r\n" + body);
            context.writeAndFlush(answer)
                    .addListener(sent ->
                            context.executor().schedule(() -> context.close(), LINGER_MILLIS, TimeUnit.MILLISECONDS));
        }
    }
}
