package io.lambdafs.hammer.trace;

import io.lambdafs.hammer.replay.ClusterProbe;
import io.lambdafs.hammer.replay.Progress;
import io.lambdafs.hammer.replay.Ticker;
import io.lambdafs.hammer.replay.Time;
import io.lambdafs.hammer.result.Measured;
import io.lambdafs.hammer.result.ReplayResult;
import io.lambdafs.hammer.tree.Target;
import io.lambdafs.hammer.workload.Texts;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Replays a trace: every operation at its recorded time, or faster, in the order of the trace if operations meet at a
 * path.
 */
public final class TraceReplay {
    private TraceReplay() {}

    /**
     * The result of a replay.
     *
     * @param refusals operations that the namespace legitimately refused, by kind and reason
     */
    public record Outcome(ReplayResult result, Map<String, Long> refusals) {
        public Outcome {
            refusals = Map.copyOf(refusals);
        }

        public long refused() {
            return refusals.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    /**
     * Runs the whole trace. Blocks for its length, divided by the speed-up, and the drain.
     *
     * @param progress called about once a second on another thread
     * @param unfinished receives the measurements so far if the thread is interrupted, before this throws
     * @throws FsException if the trace cannot be read, or on interruption; failed operations are counted instead
     */
    public static Outcome run(
            TraceSettings settings,
            Target target,
            ClusterProbe probe,
            Consumer<Progress> progress,
            Consumer<ReplayResult> unfinished) {
        try (Ticker ticker = new Ticker(probe, progress);
                TraceAhead ahead = new TraceAhead(open(settings))) {
            TraceLoop loop = new TraceLoop(settings, target, ticker, ahead, Time.REAL);
            Measured outcome;
            try {
                outcome = loop.run();
            } catch (FsException e) {
                if (e.code() == ErrorCode.INTERRUPTED) {
                    Measured soFar = loop.soFar();
                    int peak = soFar.tally().peakInstances();
                    Map<String, String> shown = describe(settings, peak, describe(loop.refusals()));
                    unfinished.accept(soFar.unfinished(settings.seconds(), settings.fleet(), 0, shown));
                }
                throw e;
            }
            Measured.Basis basis = new Measured.Basis(settings.seconds(), settings.fleet(), 0);
            Map<String, String> shown = describe(settings, outcome.tally().peakInstances(), describe(loop.refusals()));
            return new Outcome(outcome.result(basis, shown), loop.refusals());
        }
    }

    private static TraceReader open(TraceSettings settings) {
        try {
            return settings.scan().trace().open();
        } catch (IOException e) {
            throw FsException.unavailable("the trace cannot be read: " + e, e);
        }
    }

    private static Map<String, String> describe(TraceSettings settings, int peak, String refusals) {
        Map<String, String> shown = new LinkedHashMap<>();
        shown.put("Trace", settings.scan().describe());
        shown.put(
                "Load",
                String.format(
                        Locale.ROOT,
                        "open loop, each operation when it was recorded, %s times as fast: %,.1f s; below %s",
                        Texts.plain(settings.speedUp()),
                        settings.seconds(),
                        settings.under()));
        shown.put("Refused by the namespace", refusals);
        shown.put("In flight", String.format(Locale.ROOT, "at most %,d operations", settings.window()));
        shown.put("Latency", "from the intended start: an operation that had to wait counts its waiting");
        shown.put("Serverful fleet", settings.fleet().describe(peak));
        shown.putAll(settings.notes());
        shown.put("Machine", Measured.machine());
        return shown;
    }

    /** Describes refusals in one line. */
    public static String describe(Map<String, Long> refusals) {
        return refusals.isEmpty()
                ? "none"
                : refusals.entrySet().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .map(each -> String.format(Locale.ROOT, "%,d %s", each.getValue(), each.getKey()))
                        .collect(Collectors.joining(", "));
    }
}
