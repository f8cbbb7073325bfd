package io.lambdafs.rpc.netty;

import io.lambdafs.rpc.Credit;
import io.netty.channel.SelectStrategy;
import io.netty.util.IntSupplier;
import java.util.function.BooleanSupplier;

/**
 * An event loop that has nothing left to do gives its turn away once, and looks again, before it sleeps, as long as that pays. Where all
 * processors are busy, those whose turn it is then are who sends it the next messages: it finds several at once, and nobody had to wake it
 * up. Where it lately found nothing, it only kept others from the processor: then it sleeps at once, but for a try now and then. Where an
 * answer or a request is near, it gives turns away until that has come: to be woken up may take longer than that. One for each event loop;
 * not thread-safe.
 */
final class YieldBeforeSleep implements SelectStrategy {
    /** Messages found after a turn are worth this many turns after which there were none. */
    private static final int FOUND = 8;

    private final BooleanSupplier messageIsNear;
    private final Credit turns = Credit.none(FOUND);

    YieldBeforeSleep(BooleanSupplier messageIsNear) {
        this.messageIsNear = messageIsNear;
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // A hint, on which nothing depends.
    public int calculateStrategy(IntSupplier selectNow, boolean hasTasks) throws Exception {
        if (hasTasks) {
            return selectNow.get();
        }
        if (messageIsNear.getAsBoolean()) {
            // And back, also where there is none yet: the loop's tasks go on meanwhile.
            Thread.yield();
            return selectNow.get();
        }
        if (!turns.isWorthIt()) {
            return SELECT;
        }
        Thread.yield();
        int ready = selectNow.get();
        if (ready > 0) {
            turns.succeeded();
            return ready;
        }
        turns.failed();
        return SELECT;
    }
}
