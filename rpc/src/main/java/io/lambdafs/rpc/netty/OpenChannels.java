package io.lambdafs.rpc.netty;

import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The open channels of some event loops. They are closed before the loops end: a loop shut down with open channels may
 * end without closing them, and their requests would never fail. Thread-safe.
 */
public final class OpenChannels {
    private final Set<Channel> channels = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    boolean isClosed() {
        return closed;
    }

    /** Tracks a channel until it is closed; closes it at once after {@link #close}. */
    public void add(Channel channel) {
        channels.add(channel);
        channel.closeFuture().addListener(ended -> channels.remove(channel));
        if (closed) {
            channel.close();
        }
    }

    /** Closes all channels, including those added later; completes when the current ones are closed. */
    CompletableFuture<Void> close() {
        closed = true;
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        for (Channel channel : channels) {
            CompletableFuture<Void> end = new CompletableFuture<>();
            channel.close().addListener(ended -> end.complete(null));
            ends.add(end);
        }
        return CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new));
    }

    /** Closes all channels, and then ends their loops. Blocks, for no longer than twice the limit. */
    public void end(EventLoopGroup loops, long limitMillis) {
        close().completeOnTimeout(null, limitMillis, TimeUnit.MILLISECONDS).join();
        loops.shutdownGracefully(0, limitMillis, TimeUnit.MILLISECONDS).awaitUninterruptibly(limitMillis);
    }
}
