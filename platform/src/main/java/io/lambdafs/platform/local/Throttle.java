package io.lambdafs.platform.local;

import io.lambdafs.platform.local.pool.Messages;
import io.lambdafs.platform.local.pool.RefusedException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Limits the invocations that the gateway accepts per minute and at once, as OpenWhisk does. Thread-safe. */
public final class Throttle {
    private final Limits limits;
    private final LongSupplier nanoTime;
    private long minute = Long.MIN_VALUE;
    private int thisMinute;
    private int inFlight;

    /**
     * The limits. Immutable.
     *
     * @param perMinute invocations started within one minute
     * @param inFlight invocations started and not ended
     */
    public record Limits(int perMinute, int inFlight) {
        public Limits {
            if (perMinute < 1 || inFlight < 1) {
                throw new IllegalArgumentException("throttle.perMinute and throttle.inFlight must be positive");
            }
        }

        /** Returns 1,000,000 a minute and 4,096 at once: OpenWhisk's 60 and 30 are too few to wake a file system. */
        public static Limits defaults() {
            return new Limits(1_000_000, 4096);
        }
    }

    Throttle(Limits limits, LongSupplier nanoTime) {
        this.limits = limits;
        this.nanoTime = nanoTime;
    }

    /**
     * Accepts an invocation, which counts until {@link #ended}.
     *
     * @throws RefusedException with 429 if it exceeds a limit
     */
    synchronized void begin() {
        long now = Math.floorDiv(nanoTime.getAsLong(), TimeUnit.MINUTES.toNanos(1));
        if (now != minute) {
            minute = now;
            thisMinute = 0;
        }
        if (thisMinute >= limits.perMinute()) {
            throw new RefusedException(429, Messages.tooManyPerMinute(thisMinute + 1L, limits.perMinute()));
        }
        if (inFlight >= limits.inFlight()) {
            throw new RefusedException(429, Messages.tooManyInFlight(inFlight + 1L, limits.inFlight()));
        }
        thisMinute++;
        inFlight++;
    }

    synchronized void ended() {
        inFlight--;
    }
}
