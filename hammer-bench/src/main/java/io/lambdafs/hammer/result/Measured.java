package io.lambdafs.hammer.result;

import io.lambdafs.hammer.workload.Texts;
import java.util.Locale;
import java.util.Map;

/**
 * The measurements of a finished load. Confined to the thread of the load.
 *
 * @param offered operations scheduled, whether done or not
 * @param done operations answered
 * @param seconds from the start to the last operation's end
 */
public record Measured(Tally tally, FailureLog failures, long offered, long done, double seconds) {
    /** The settings from which a result is computed. */
    public record Basis(double seconds, ServerfulFleet fleet, long seed) {}

    /** Returns the result, for reports. */
    public ReplayResult result(Basis basis, Map<String, String> settings) {
        int peak = tally.peakInstances();
        double payPerUse = 0;
        double simplified = 0;
        double watched = seconds;
        if (!tally.series().isEmpty()) {
            SeriesPoint last = tally.series().get(tally.series().size() - 1);
            payPerUse = last.payPerUseUsd();
            simplified = last.simplifiedUsd();
            watched = last.seconds();
        }
        return new ReplayResult(
                offered,
                failures.count(),
                seconds,
                done / seconds,
                offered / basis.seconds(),
                peak,
                tally.last().instances(),
                tally.overallHitRate(),
                tally.overallHttpShare(),
                tally.latencies(),
                tally.phases(),
                tally.listings(),
                Cost.of(payPerUse, simplified, basis.fleet().usd(peak, watched), done),
                basis.fleet(),
                basis.seed(),
                tally.series(),
                failures.first(),
                settings,
                "");
    }

    /**
     * Returns the result of an interrupted load.
     *
     * @param length intended length of the load, seconds
     */
    public ReplayResult unfinished(double length, ServerfulFleet fleet, long seed, Map<String, String> settings) {
        return result(new Basis(Math.min(seconds, length), fleet, seed), settings)
                .unfinished(String.format(Locale.ROOT, "interrupted after %.1f of %s s", seconds, Texts.plain(length)));
    }

    /** Describes this machine, for reports. */
    public static String machine() {
        return Runtime.getRuntime().availableProcessors() + " processors, "
                + System.getProperty("os.name") + " " + System.getProperty("os.arch") + ", Java "
                + System.getProperty("java.version");
    }
}
