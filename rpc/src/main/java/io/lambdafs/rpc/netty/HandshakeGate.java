package io.lambdafs.rpc.netty;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.tls.TlsFailures;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.net.SocketAddress;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hides a connection from later handlers until the TLS handshake is complete. Confined to the event loop. */
final class HandshakeGate extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(HandshakeGate.class);
    /** Logs failures of accepted connections, which have no waiting caller, except mere port probes. */
    static final Consumer<FsException> LOGGED = why -> {
        if (why.code() == ErrorCode.NOT_TRUSTED) {
            LOG.warn("A connection is refused: {}: {}", why.code().label(), why.getMessage());
        } else {
            LOG.debug("{}", why.getMessage());
        }
    };

    private final SocketAddress peer;
    private final Consumer<FsException> failed;
    private boolean stands;

    HandshakeGate(SocketAddress peer, Consumer<FsException> failed) {
        this.peer = peer;
        this.failed = failed;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        // Set when the handshake is over.
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (stands) {
            context.fireChannelInactive();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (!(event instanceof SslHandshakeCompletionEvent handshake)) {
            context.fireUserEventTriggered(event);
        } else if (handshake.isSuccess()) {
            stands = true;
            context.fireChannelActive();
        } else {
            failed.accept(TlsFailures.of(handshake.cause(), peer));
            context.close();
        }
    }

    /** {@inheritDoc} In TLS 1.3, a rejection of this end's certificate arrives after its own handshake. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (stands && TlsFailures.isOne(cause)) {
            LOGGED.accept(TlsFailures.of(cause, peer));
            context.close();
        } else if (stands) {
            context.fireExceptionCaught(cause);
        } else {
            context.close();
        }
    }
}
