package io.lambdafs.rpc.netty;

import io.lambdafs.model.FsException;
import io.lambdafs.rpc.tls.Tls;
import io.lambdafs.rpc.tls.TlsPeers;
import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import java.util.function.Consumer;

/** Secures TCP channels, with or without TLS. Thread-safe. */
interface ChannelSecurity {
    /** No TLS. */
    ChannelSecurity NONE = new ChannelSecurity() {
        @Override
        public void accepted(Channel channel) {}

        @Override
        public void dialled(Channel channel, InetSocketAddress address, Consumer<FsException> failed) {}
    };

    /** Prepares an accepted channel. */
    void accepted(Channel channel);

    /**
     * Prepares a dialled channel.
     *
     * @param failed receives the reason if TLS with that address fails
     */
    void dialled(Channel channel, InetSocketAddress address, Consumer<FsException> failed);

    /** Returns TLS between the given peers. */
    static ChannelSecurity of(Tls tls, TlsPeers peers) {
        return new ChannelSecurity() {
            @Override
            public void accepted(Channel channel) {
                SslHandler handler = switch (peers) {
                    case SERVICES, INSTANCES -> tls.accepting(channel.alloc());
                    case USERS -> tls.acceptingAnybody(channel.alloc());
                    case INSTANCE_TO_USER -> tls.dialling(channel.alloc(), Tls.INSTANCE, 0);
                };
                channel.pipeline().addLast(handler, new HandshakeGate(channel.remoteAddress(), HandshakeGate.LOGGED));
            }

            @Override
            public void dialled(Channel channel, InetSocketAddress address, Consumer<FsException> failed) {
                SslHandler handler = switch (peers) {
                    case SERVICES, USERS -> tls.dialling(channel.alloc(), address.getHostString(), address.getPort());
                    case INSTANCES -> tls.dialling(channel.alloc(), Tls.INSTANCE, 0);
                    case INSTANCE_TO_USER -> tls.acceptingAnybody(channel.alloc());
                };
                channel.pipeline().addLast(handler, new HandshakeGate(address, failed));
            }
        };
    }
}
