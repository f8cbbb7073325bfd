package io.lambdafs.rpc.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import org.jspecify.annotations.Nullable;

/**
 * Decides by a request's head whether to accept its body, and charges the body's bytes to the server's budget as they
 * arrive. Passes on a refused request as a {@link Refusal} and drops everything after it. One per connection; event
 * loop only.
 */
final class HeadGate extends ChannelInboundHandlerAdapter {
    /** The reply to a request that is not read to its end; the connection is then closed. */
    record Refusal(HttpReply reply) {}

    private final HttpHandler handler;
    private final HttpLimits limits;
    private final ServerLoad load;
    private final RequestDeadline deadline;
    /** Body bytes of the current request so far. */
    private int bodyBytes;

    private boolean refused;

    HeadGate(HttpHandler handler, HttpLimits limits, ServerLoad load, RequestDeadline deadline) {
        this.handler = handler;
        this.limits = limits;
        this.load = load;
        this.deadline = deadline;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        HttpReply refusal = refused ? null : refusal(ctx, message);
        if (refusal != null) {
            refused = true;
            deadline.ended();
        }
        if (refused) {
            ReferenceCountUtil.release(message);
        } else {
            if (message instanceof LastHttpContent) {
                deadline.ended();
                // From here on the complete request owns them.
                bodyBytes = 0;
            }
            ctx.fireChannelRead(message);
        }
        if (refusal != null) {
            ctx.fireChannelRead(new Refusal(refusal));
        }
    }

    private @Nullable HttpReply refusal(ChannelHandlerContext ctx, Object message) {
        if (message instanceof HttpRequest head && head.decoderResult().isSuccess()) {
            HttpReply refusal = refusalOf(ctx, head);
            if (refusal != null) {
                return refusal;
            }
        }
        return message instanceof HttpContent content
                ? refusalOf(content.content().readableBytes())
                : null;
    }

    private @Nullable HttpReply refusalOf(ChannelHandlerContext ctx, HttpRequest head) {
        HttpCall call;
        try {
            call = HttpConversation.callOf(ctx, head, new byte[0]);
        } catch (IllegalArgumentException e) {
            return handler.refusal(400, "malformed request: " + e.getMessage());
        }
        boolean isProof = call.path().equals(ServerProof.PATH);
        HttpReply refusal = isProof ? null : handler.refuse(call).orElse(null);
        if (refusal != null) {
            return refusal;
        }
        boolean hasBody = HttpUtil.isTransferEncodingChunked(head) || HttpUtil.getContentLength(head, 0L) > 0;
        if (hasBody && (isProof || head.method().equals(HttpMethod.GET))) {
            return handler.refusal(400, "malformed request: a body where none is taken");
        }
        return HttpUtil.getContentLength(head, 0L) > limits.maxBodyBytes() ? tooLarge() : null;
    }

    private @Nullable HttpReply refusalOf(int bytes) {
        if (bodyBytes + bytes > limits.maxBodyBytes()) {
            return tooLarge();
        }
        if (!load.took(bytes)) {
            return handler.refusal(503, "too many bytes of request bodies at once");
        }
        bodyBytes += bytes;
        return null;
    }

    private HttpReply tooLarge() {
        return handler.refusal(413, "request body larger than allowed: over " + limits.maxBodyBytes() + " bytes");
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        load.gaveBack(bodyBytes);
        bodyBytes = 0;
        ctx.fireChannelInactive();
    }
}
