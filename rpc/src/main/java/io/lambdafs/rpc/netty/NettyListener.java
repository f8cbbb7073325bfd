package io.lambdafs.rpc.netty;

import io.lambdafs.rpc.Transport;
import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An accepting channel. Thread-safe. */
final class NettyListener implements Transport.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(NettyListener.class);
    private static final int CLOSE_WAIT_SECONDS = 1;

    private final Channel channel;
    private final InetSocketAddress address;

    NettyListener(Channel channel) {
        this.channel = channel;
        this.address = (InetSocketAddress) channel.localAddress();
    }

    @Override
    public InetSocketAddress address() {
        return address;
    }

    /** Frees the address before returning, unless called on an event loop. Accepted connections stay open. */
    @Override
    public void close() {
        if (!channel.isOpen()) {
            return;
        }
        LOG.debug("no longer listening on {}", address);
        if (channel.eventLoop().inEventLoop()) {
            channel.close();
        } else {
            channel.close().awaitUninterruptibly(CLOSE_WAIT_SECONDS, TimeUnit.SECONDS);
            // NIO releases the socket only when its event loop selects again, which it does before a later task.
            channel.eventLoop()
                    .schedule(() -> {}, 1, TimeUnit.MILLISECONDS)
                    .awaitUninterruptibly(CLOSE_WAIT_SECONDS, TimeUnit.SECONDS);
        }
    }
}
