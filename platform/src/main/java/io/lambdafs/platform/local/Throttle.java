package io.lambdafs.platform.local;

import io.lambdafs.platform.local.pool.Messages;
import io.lambdafs.platform.local.pool.RefusedException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Bounds how many invocations a minute and how many at once the gateway takes in, as OpenWhisk does. Thread-safe. */
public final class Throttle {
    private final Limits limits;
    private final LongSupplier nanoTime;
    private long minute = Long.MIN_VALUE;
    private int thisMinute;
    private int inFlight;

    /**
     * The bounds. Immutable.
     *
     * @param perMinute invocations begun within one minute
     * @param inFlight invocations begun and not ended
     */
    public record Limits(int perMinute, int inFlight) {
        public Limits {
            if (perMinute < 1 || inFlight < 1) {
                throw new IllegalArgumentException("throttle.perMinute and throttle.inFlight must be positive");
            }
        }

        /** 1,000,000 a minute, 4,096 at once: OpenWhisk's 60 and 30 are too few to wake a file system. */
        public static Limits defaults() {
            return new Limits(1_000_000, 4096);
        }
    }

    Throttle(Limits limits, LongSupplier nanoTime) {
        this.limits = limits;
        this.nanoTime = nanoTime;
    }

    /**
     * Takes one invocation in, until {@link #ended}.
     *
     * @throws RefusedException with 429 when it is one too many
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
