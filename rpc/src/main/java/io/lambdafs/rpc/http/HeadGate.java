package io.lambdafs.rpc.http;

import io.lambdafs.rpc.http.HttpHandler.Admission;
import io.lambdafs.rpc.http.HttpHandler.Admission.Refused;
import io.lambdafs.rpc.http.HttpHandler.Admission.Taken;
import io.lambdafs.rpc.http.body.HttpBody;
import io.lambdafs.rpc.http.guard.RequestDeadline;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/**
 * Decides by a request's head whether to accept its body, and charges the body's bytes to the server's budget as they
 * arrive. Passes on a refused request as {@link Refused} and drops everything after it, one whose body is taken while it
 * comes as a {@link Begun}, and ahead of one whose body is collected what answers it. One per connection; event loop only.
 */
final class HeadGate extends ChannelInboundHandlerAdapter {
    /** A request whose body comes while it is answered. */
    record Begun(Taken admission, HttpBody body, boolean keepAlive) {}

    private final HttpHandler handler;
    private final HttpLimits limits;
    private final ServerLoad load;
    private final RequestDeadline deadline;
    /** Body bytes of the current request so far. */
    private int bodyBytes;

    private boolean refused;
    /** The admission of the request whose head has just been accepted; null for a message that is no head. */
    private @Nullable Admission admitted;

    /** The body that is being taken. */
    private @Nullable HttpBody taken;

    HeadGate(HttpHandler handler, HttpLimits limits, ServerLoad load, RequestDeadline deadline) {
        this.handler = handler;
        this.limits = limits;
        this.load = load;
        this.deadline = deadline;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (taken != null && message instanceof HttpContent content) {
            take(taken, content);
            return;
        }
        HttpReply refusal = refused ? null : refusal(ctx, message);
        if (refusal != null) {
            refused = true;
            deadline.ended();
        }
        if (refused) {
            ReferenceCountUtil.release(message);
        } else if (!begins(ctx, message)) {
            if (message instanceof LastHttpContent) {
                deadline.ended();
                // From here on the complete request owns them.
                bodyBytes = 0;
            }
            ctx.fireChannelRead(message);
        }
        if (refusal != null) {
            ctx.fireChannelRead(new Refused(refusal));
        }
    }

    /** Begins with an admitted request; returns whether its body is taken while it comes. */
    private boolean begins(ChannelHandlerContext ctx, Object message) {
        Admission begun = admitted;
        admitted = null;
        if (!(begun instanceof Taken taking) || !(message instanceof HttpRequest head)) {
            if (begun != null) {
                ctx.fireChannelRead(begun);
            }
            return false;
        }
        deadline.ended();
        ctx.channel().config().setAutoRead(false);
        HttpBody body = new HttpBody(ctx.channel()::read);
        taken = body;
        if (HttpUtil.is100ContinueExpected(head)) {
            ctx.writeAndFlush(new DefaultFullHttpResponse(
                    HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER));
        }
        ctx.fireChannelRead(new Begun(taking, body, HttpUtil.isKeepAlive(head)));
        return true;
    }

    private void take(HttpBody body, HttpContent content) {
        if (content.decoderResult().isSuccess()) {
            body.add(ByteBufUtil.getBytes(content.content()));
        } else {
            body.fail(new IOException("malformed request body"));
        }
        if (content instanceof LastHttpContent) {
            taken = null;
            body.end();
        }
        content.release();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (taken != null && taken.isAwaited()) {
            ctx.read();
        }
        ctx.fireChannelReadComplete();
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
        boolean isProof = ServerProof.isAsked(call, handler);
        Admission admission = isProof ? null : handler.admit(call);
        if (admission instanceof Refused refused) {
            return refused.reply();
        }
        admitted = admission;
        if (admission instanceof Taken) {
            return null;
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
        if (taken != null) {
            taken.fail(new ClosedChannelException());
        }
        ctx.fireChannelInactive();
    }
}
