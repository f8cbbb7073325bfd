package io.lambdafs.rpc.netty;

import io.netty.channel.SelectStrategy;
import io.netty.util.IntSupplier;

/**
 * An event loop that has nothing left to do gives its turn away once, and looks again, before it sleeps. Where all processors are
 * busy, those whose turn it is then are who sends it the next messages: it finds several at once, and nobody had to wake it up. Where one
 * is free this costs two system calls, after the answer has gone. Stateless.
 */
final class YieldBeforeSleep implements SelectStrategy {
    @Override
    @SuppressWarnings("ThreadPriorityCheck") // A hint, on which nothing depends.
    public int calculateStrategy(IntSupplier selectNow, boolean hasTasks) throws Exception {
        if (!hasTasks) {
            Thread.yield();
        }
        int ready = selectNow.get();
        return ready > 0 || hasTasks ? ready : SELECT;
    }
}
