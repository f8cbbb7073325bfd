package io.lambdafs.hammer;

import io.lambdafs.model.FsException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replays the Spotify workload of the paper's §5.2 on an imported namespace: Table 2's mix in Pareto bursts, open loop, every
 * answer checked.
 */
public final class Replay {
    private static final Logger LOG = LoggerFactory.getLogger(Replay.class);

    private Replay() {}

    /**
     * Runs the whole load. Blocks for the length of the load, the drain and the watching that follows.
     *
     * @param progress called about once a second on another thread
     * @throws FsException if the namespace has nothing to read, or on interruption; failed operations do not throw, they count
     */
    public static ReplayResult run(
            ReplaySettings settings, Target target, ClusterProbe probe, Consumer<Progress> progress) {
        try (Ticker ticker = new Ticker(probe, progress)) {
            LOG.info(
                    "replaying for {} s at {} ops/s, seed {}",
                    settings.length().toSeconds(),
                    settings.baseOps(),
                    settings.seed());
            ReplayLoop loop = new ReplayLoop(settings, target, ticker, System::nanoTime);
            ReplayResult result = result(settings, loop.run());
            LOG.info("replayed {} operations, {} failed", result.operations(), result.failed());
            return result;
        }
    }

    private static ReplayResult result(ReplaySettings settings, ReplayLoop.Outcome outcome) {
        Tally tally = outcome.tally();
        int peak = tally.peakInstances();
        double payPerUse = 0;
        double simplified = 0;
        double watched = outcome.seconds();
        if (!tally.series().isEmpty()) {
            SeriesPoint last = tally.series().get(tally.series().size() - 1);
            payPerUse = last.payPerUseUsd();
            simplified = last.simplifiedUsd();
            watched = last.seconds();
        }
        double length = settings.length().toNanos() / 1e9;
        return new ReplayResult(
                outcome.offered(),
                outcome.failures().count(),
                outcome.seconds(),
                outcome.done() / outcome.seconds(),
                outcome.offered() / length,
                peak,
                tally.last().instances(),
                tally.overallHitRate(),
                tally.last().httpShare(),
                tally.latencies(),
                Cost.of(payPerUse, simplified, settings.fleet().usd(peak, watched), outcome.done()),
                settings.fleet(),
                settings.seed(),
                tally.series(),
                outcome.failures().first(),
                describe(settings, peak));
    }

    private static Map<String, String> describe(ReplaySettings settings, int peak) {
        Map<String, String> shown = new LinkedHashMap<>();
        shown.put("Workload", settings.mix().describe());
        shown.put("Load", load(settings));
        shown.put("Seed", String.valueOf(settings.seed()));
        shown.put(
                "Namespace",
                String.format(
                        Locale.ROOT,
                        "%,d imported entries under %s; directories popular as Zipf, exponent %.2f",
                        settings.tree().size(),
                        settings.tree().target(),
                        settings.zipfExponent()));
        shown.put("In flight", String.format(Locale.ROOT, "at most %,d operations", settings.window()));
        shown.put("Latency", "from the intended start: an operation that had to wait counts its waiting");
        shown.put("Serverful fleet", settings.fleet().describe(peak));
        shown.putAll(settings.notes());
        shown.put(
                "Machine",
                Runtime.getRuntime().availableProcessors() + " processors, "
                        + System.getProperty("os.name") + " " + System.getProperty("os.arch") + ", Java "
                        + System.getProperty("java.version"));
        return shown;
    }

    private static String load(ReplaySettings settings) {
        double length = settings.length().toNanos() / 1e9;
        if (settings.shape() == LoadShape.STEP) {
            return String.format(
                    Locale.ROOT,
                    "%s s: %,.0f ops/s, %s × as much in the second third, and as before; Poisson arrivals",
                    plain(length),
                    settings.baseOps(),
                    plain(settings.burstFactor()));
        }
        double interval = Schedule.interval(length);
        return String.format(
                Locale.ROOT,
                "%s s; every %s s a throughput from Pareto(α = %s, scale = %,.0f ops/s), at most %s × the scale;"
                        + " from two thirds on a burst of %s × for %s s; Poisson arrivals",
                plain(length),
                plain(interval),
                plain(Schedule.PARETO_SHAPE),
                settings.baseOps(),
                plain(settings.burstFactor()),
                plain(settings.burstFactor()),
                plain(interval));
    }

    private static String plain(double value) {
        return value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value);
    }
}
