package io.lambdafs.hammer.workload;

import java.util.Locale;

/** Numbers formatted for people. */
public final class Texts {
    private Texts() {}

    /** Formats a latency in a suitable unit. */
    public static String micros(double micros) {
        if (micros < 1_000) {
            return String.format(Locale.ROOT, "%.0f µs", micros);
        }
        if (micros < 1_000_000) {
            return String.format(Locale.ROOT, micros < 10_000 ? "%.2f ms" : "%.1f ms", micros / 1e3);
        }
        return String.format(Locale.ROOT, "%.2f s", micros / 1e6);
    }

    public static String micros(long micros) {
        return micros((double) micros);
    }

    /** Formats a number without needless decimals. */
    public static String plain(double value) {
        return value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value);
    }

    public static String usd(double usd) {
        return String.format(Locale.ROOT, "$%.6f", usd);
    }
}
