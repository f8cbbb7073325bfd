package io.lambdafs.hammer.replay;

import io.lambdafs.hammer.result.Measured;
import io.lambdafs.hammer.result.Part;
import io.lambdafs.hammer.result.ReplayResult;
import io.lambdafs.hammer.tree.Target;
import io.lambdafs.hammer.workload.Workload;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Replays a workload on an imported namespace: open loop, with every answer checked. */
public final class Replay {
    private static final Logger LOG = LoggerFactory.getLogger(Replay.class);

    private Replay() {}

    /**
     * Runs the whole load. Blocks until the load, the drain and the watching of the scale-in have ended.
     *
     * @param progress called about once a second on another thread
     * @throws FsException if the namespace has nothing to read, or on interruption; failed operations are counted
     * instead
     */
    public static ReplayResult run(
            ReplaySettings settings, Target target, ClusterProbe probe, Consumer<Progress> progress) {
        return run(settings, target, probe, progress, soFar -> {});
    }

    /**
     * Runs the whole load; see {@link #run}.
     *
     * @param unfinished receives the measurements so far if the thread is interrupted, before this throws
     */
    public static ReplayResult run(
            ReplaySettings settings,
            Target target,
            ClusterProbe probe,
            Consumer<Progress> progress,
            Consumer<ReplayResult> unfinished) {
        return run(settings, target, probe, progress, unfinished, Time.REAL);
    }

    public static ReplayResult run(
            ReplaySettings settings,
            Target target,
            ClusterProbe probe,
            Consumer<Progress> progress,
            Consumer<ReplayResult> unfinished,
            Time time) {
        try (Ticker ticker = new Ticker(probe, progress)) {
            return run(settings, target, ticker, unfinished, time);
        }
    }

    /**
     * Runs one process's share of a load; see {@link #run}.
     *
     * @param parts receives each second's progress, and the rest at the end; on another thread
     * @param unfinished receives the measurements so far if the thread is interrupted, before this throws
     */
    public static ReplayResult runShare(
            ReplaySettings settings,
            Target target,
            ClusterProbe probe,
            Consumer<Part> parts,
            Consumer<ReplayResult> unfinished) {
        try (Ticker ticker = new Ticker(probe, progress -> {}, parts)) {
            ReplayResult result = run(settings, target, ticker, unfinished, Time.REAL);
            ticker.flush();
            return result;
        }
    }

    private static ReplayResult run(
            ReplaySettings settings, Target target, Ticker ticker, Consumer<ReplayResult> unfinished, Time time) {
        Workload workload = settings.workload();
        LOG.info("replaying for {} s at {} ops/s, seed {}", workload.seconds(), workload.baseOps(), workload.seed());
        ReplayLoop loop = new ReplayLoop(settings, target, ticker, time);
        Measured measured;
        try {
            measured = loop.run();
        } catch (FsException e) {
            if (e.code() == ErrorCode.INTERRUPTED) {
                Measured soFar = loop.soFar();
                unfinished.accept(soFar.unfinished(
                        workload.seconds(),
                        settings.fleet(),
                        workload.seed(),
                        describe(settings, soFar.tally().peakInstances())));
            }
            throw e;
        }
        Measured.Basis basis = new Measured.Basis(workload.seconds(), settings.fleet(), workload.seed());
        ReplayResult result =
                measured.result(basis, describe(settings, measured.tally().peakInstances()));
        LOG.info("replayed {} operations, {} failed", result.operations(), result.failed());
        return result;
    }

    private static Map<String, String> describe(ReplaySettings settings, int peak) {
        Map<String, String> shown = new LinkedHashMap<>();
        shown.put("Workload", settings.workload().mix().describe());
        shown.put("Load", settings.workload().load());
        shown.put("Seed", String.valueOf(settings.workload().seed()));
        shown.put(
                "Namespace",
                String.format(
                        Locale.ROOT,
                        "%,d imported entries under %s; %s",
                        settings.tree().size(),
                        settings.tree().target(),
                        settings.workload().popularity().describe()));
        shown.put("In flight", String.format(Locale.ROOT, "at most %,d operations", settings.window()));
        shown.put("Latency", "from the intended start: an operation that had to wait counts its waiting");
        shown.put("Serverful fleet", settings.fleet().describe(peak));
        shown.putAll(settings.notes());
        shown.put("Machine", Measured.machine());
        return shown;
    }

    /** Throws if the thread has been interrupted. */
    public static void checkInterrupt() {
        if (Thread.interrupted()) {
            Thread.currentThread().interrupt();
            throw new FsException(ErrorCode.INTERRUPTED, "the replay was interrupted before its end");
        }
    }
}
