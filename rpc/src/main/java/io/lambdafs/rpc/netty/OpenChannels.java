package io.lambdafs.rpc.netty;

import io.netty.channel.Channel;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The open channels of a transport. They are closed before the event loops end: a loop shut down with open channels may
 * end without notifying them, and their requests would never fail. Thread-safe.
 */
final class OpenChannels {
    private final Set<Channel> channels = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    boolean isClosed() {
        return closed;
    }

    /** Tracks a channel until it is closed; closes it if the transport is closed. */
    void add(Channel channel) {
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
}
