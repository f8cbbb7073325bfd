package io.lambdafs.rpc.netty;

import io.lambdafs.rpc.idle.Credit;
import io.netty.channel.SelectStrategy;
import io.netty.util.IntSupplier;
import java.util.function.BooleanSupplier;

/**
 * An event loop's idle strategy: with nothing left to do it yields once, and checks again, before it parks, as long as
 * that pays. On a busy machine the threads that run next are the ones that send the next messages, so the loop finds
 * several at once and needs no wake-up. If recent yields found nothing it parks at once, with a probe now and then.
 * While a reply or a request is near it keeps yielding until that arrives, because a wake-up may take longer. One per
 * event loop; not thread-safe.
 */
final class YieldBeforeSleep implements SelectStrategy {
    /** The number of vain yields that one with messages makes up for. */
    private static final int FOUND = 8;

    private final BooleanSupplier messageIsNear;
    private final Credit turns = Credit.none(FOUND);

    YieldBeforeSleep(BooleanSupplier messageIsNear) {
        this.messageIsNear = messageIsNear;
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // Only a hint: correctness does not depend on it.
    public int calculateStrategy(IntSupplier selectNow, boolean hasTasks) throws Exception {
        if (hasTasks) {
            return selectNow.get();
        }
        if (messageIsNear.getAsBoolean()) {
            // Returns even without a message, so that the loop's tasks continue.
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
