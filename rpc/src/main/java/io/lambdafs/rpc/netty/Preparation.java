package io.lambdafs.rpc.netty;

import io.lambdafs.model.FsException;
import io.lambdafs.rpc.tls.Tls;
import io.lambdafs.rpc.tls.TlsPeers;
import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Consumer;

/** Prepares TCP channels: TLS, an emulated distance. Thread-safe. */
interface Preparation {
    /** Neither. */
    Preparation NONE = new Preparation() {
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
    static Preparation of(Tls tls, TlsPeers peers) {
        return new Preparation() {
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

    /** Returns this preparation of channels that are so far away. */
    default Preparation at(Duration roundTrip) {
        Preparation near = this;
        return new Preparation() {
            @Override
            public void accepted(Channel channel) {
                channel.pipeline().addLast(new DelayLine(roundTrip.toNanos()));
                near.accepted(channel);
            }

            @Override
            public void dialled(Channel channel, InetSocketAddress address, Consumer<FsException> failed) {
                channel.pipeline().addLast(new DelayLine(roundTrip.toNanos()));
                near.dialled(channel, address, failed);
            }
        };
    }
}
