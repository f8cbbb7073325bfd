package io.lambdafs.lambda;

import io.lambdafs.functions.serving.FunctionInstance;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Holds an invocation open to serve the clients it has dialled by TCP. Single use; blocks the invocation's thread. */
final class Stay {
    private static final Logger log = LoggerFactory.getLogger(Stay.class);
    private static final long LOOK_MILLIS = 50;
    /** Time after which a client that has not accepted a connection counts as unreachable. */
    private static final long CONNECT_NANOS = TimeUnit.SECONDS.toNanos(4);
    /** Part of the invocation's time reserved for finishing operations and releasing the lease. */
    private static final int MARGIN_MILLIS = 6_000;

    private final LambdaSettings settings;
    private final IntSupplier remainingMillis;

    /** @param remainingMillis remaining invocation time */
    Stay(LambdaSettings settings, IntSupplier remainingMillis) {
        this.settings = settings;
        this.remainingMillis = remainingMillis;
    }

    /**
     * Returns whether another instance is needed: no other serves the deployment, or this caller, or all of its
     * requests.
     */
    private boolean isNeeded(FunctionInstance instance, Call call) {
        int others = instance.companions();
        return others == 0 || (!call.isConnected() && others < settings.most());
    }

    /**
     * Blocks until the invocation should end: at once if the instance is not needed, else when it is idle or its time
     * is nearly over.
     */
    void hold(FunctionInstance instance, Call call) {
        CountDownLatch never = new CountDownLatch(1);
        long began = System.nanoTime();
        long usedAt = began;
        long served = instance.gate().byTcp();
        boolean decided = false;
        try {
            while (remainingMillis.getAsInt() > MARGIN_MILLIS && !never.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                long now = System.nanoTime();
                if (!decided && instance.epoch() != 0) {
                    decided = true;
                    if (!isNeeded(instance, call)) {
                        return;
                    }
                }
                if (instance.gate().byTcp() != served) {
                    served = instance.gate().byTcp();
                    usedAt = now;
                }
                boolean isUnreached = instance.clients().count() == 0 && now - began > CONNECT_NANOS;
                if (isUnreached || now - usedAt > settings.idle().toNanos()) {
                    log.info(
                            "{} after {} ms: the invocation ends",
                            isUnreached ? "No client is connected" : "Idle",
                            TimeUnit.NANOSECONDS.toMillis(now - began));
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
