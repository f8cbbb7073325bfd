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

/** Keeps a connection's life from what comes behind until TLS stands. Confined to the event loop. */
final class HandshakeGate extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(HandshakeGate.class);
    /** For the end that nobody waits for; who only looks whether a port is open is not worth a line. */
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
        // Told when the handshake is over.
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

    /** With TLS 1.3 a refusal of this end's certificate comes after its own handshake is over. */
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
