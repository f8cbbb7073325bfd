package io.lambdafs.platform;

/**
 * The prices of a function platform. Immutable.
 *
 * @param usdPerGbSecond price of memory while requests are served
 * @param usdPerMillionRequests price of invocations
 */
public record Prices(double usdPerGbSecond, double usdPerMillionRequests) {
    private static final double MB_MILLIS_PER_GB_SECOND = 1024.0 * 1000.0;

    public Prices {
        if (!(usdPerGbSecond >= 0 && usdPerMillionRequests >= 0)) {
            throw new IllegalArgumentException("prices must not be negative");
        }
    }

    /** Returns AWS Lambda's prices, as in the paper's figure 9. */
    public static Prices lambda() {
        return new Prices(0.0000166667, 0.20);
    }

    /** Returns the price of memory over time and a number of requests, in USD. */
    public double usd(long mbMillis, long requests) {
        return gbSeconds(mbMillis) * usdPerGbSecond + requests * usdPerMillionRequests / 1_000_000;
    }

    public static double gbSeconds(long mbMillis) {
        return mbMillis / MB_MILLIS_PER_GB_SECOND;
    }
}
