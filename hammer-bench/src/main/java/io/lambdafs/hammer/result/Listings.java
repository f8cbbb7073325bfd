package io.lambdafs.hammer.result;

import io.lambdafs.hammer.workload.Texts;
import java.util.Locale;

/**
 * The listings of a load: what they cost the store, and how long they took while instances joined. Immutable.
 *
 * @param pages of directories that instances answered; 0 if the platform does not tell
 * @param read those of them for which the directory was read from the store
 * @param whileJoining latency of lists that ended within {@value #JOINING_SECONDS} s of an instance's arrival
 * @param calm latency of the others
 */
public record Listings(long pages, long read, Latency whileJoining, Latency calm) {
    /** Time for which an instance counts as new. */
    static final int JOINING_SECONDS = 3;

    public static final Listings NONE = new Listings(0, 0, Latency.NONE, Latency.NONE);

    /** Returns the share of pages for which no directory was read, 0–1. */
    public double unreadShare() {
        return pages <= 0 ? 0 : (double) (pages - read) / pages;
    }

    /** Returns the 99th percentile while instances joined as a multiple of that of the others; 0 if either is unknown. */
    public double joiningP99OfCalm() {
        return whileJoining.count() == 0 || calm.p99() == 0 ? 0 : (double) whileJoining.p99() / calm.p99();
    }

    /** Returns whether there is anything to tell. */
    public boolean isTold() {
        return pages > 0;
    }

    /** Describes them for people. */
    public String line() {
        String answered = String.format(
                Locale.ROOT,
                "listings: %.1f %% of %,d pages without reading the directory",
                unreadShare() * 100,
                pages);
        if (whileJoining.count() == 0) {
            return answered + "; no instance joined";
        }
        return answered
                + String.format(
                        Locale.ROOT,
                        "; p99 of ls %s while instances joined, %s otherwise",
                        Texts.micros(whileJoining.p99()),
                        Texts.micros(calm.p99()));
    }
}
