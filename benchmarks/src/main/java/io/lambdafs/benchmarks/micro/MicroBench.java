package io.lambdafs.benchmarks.micro;

import io.lambdafs.benchmarks.micro.driver.MicroOp;
import io.lambdafs.benchmarks.peers.Target;
import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures the same operations on every file system in turns; the order reverses with every turn. Confined to one
 * thread.
 */
final class MicroBench {
    private final MicroSettings settings;
    private final Console console;
    private final List<Driver> drivers = new ArrayList<>();

    MicroBench(MicroSettings settings, Console console) {
        this.settings = settings;
        this.console = console;
    }

    /**
     * Measures everything.
     *
     * @param logs folder for the logs of the measuring processes
     */
    Map<LaneKey, List<Round>> run(List<Target> targets, Path logs) throws InterruptedException {
        if (settings.threads().isEmpty() && targets.stream().noneMatch(Target::hasNative)) {
            throw FsException.invalidArgument(
                    "--threads 0 leaves nothing to measure: none of these has another interface");
        }
        String name = "bench-micro-" + System.currentTimeMillis();
        Map<LaneKey, List<Round>> lanes = new LinkedHashMap<>();
        try {
            for (Target target : targets) {
                Path log = logs.resolve("driver-" + drivers.size() + ".log");
                drivers.add(Driver.start(target, target.root(name), settings.directories(), log));
            }
            // Warm all processes up first: calls before a process has compiled its code would count against it.
            for (MicroOp op : settings.ops()) {
                warmUp(op);
            }
            for (MicroOp op : settings.ops()) {
                run(op, lanes);
            }
            return lanes;
        } finally {
            drivers.forEach(Driver::close);
        }
    }

    private void warmUp(MicroOp op) throws InterruptedException {
        for (Map.Entry<LaneKey, Driver> each : lanes(op).entrySet()) {
            LaneKey lane = each.getKey();
            // The code is the same at any concurrency; the highest compiles it soonest.
            Settling settling = new Settling(lane.concurrency() == mostOf(lane.api()) ? Settling.MOST_PASSES : 1);
            Round round;
            do {
                progress(lane, "warming up");
                round = each.getValue().measure(lane, settings, settings.seed(), true);
                demandSuccess(lane, round);
            } while (!settling.isOver(round.opsPerSecond(), round.compilerShare()));
        }
    }

    private int mostOf(String api) {
        return Collections.max(api.equals(LaneKey.HADOOP) ? settings.threads() : settings.windows());
    }

    private void run(MicroOp op, Map<LaneKey, List<Round>> all) throws InterruptedException {
        Map<LaneKey, Driver> lanes = lanes(op);
        lanes.keySet().forEach(lane -> all.put(lane, new ArrayList<>()));
        List<LaneKey> order = new ArrayList<>(lanes.keySet());
        for (int i = 0; i < settings.rounds(); i++) {
            for (LaneKey lane : order) {
                progress(lane, "round " + (i + 1) + " of " + settings.rounds());
                Driver driver = lanes.get(lane);
                List<Round> rounds = all.get(lane);
                if (driver != null && rounds != null) {
                    rounds.add(driver.measure(lane, settings, settings.seed() + i + 1, false));
                }
            }
            Collections.reverse(order);
        }
    }

    private static void demandSuccess(LaneKey lane, Round round) {
        if (round.failed() > 0) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    ErrorCode.INTERNAL,
                    lane.op().label() + " of " + lane.target() + ": " + round.failed()
                            + " calls failed while it warmed up, the first: " + round.failure());
        }
    }

    /** Orders the lanes so that compared ones are neighbours. */
    private Map<LaneKey, Driver> lanes(MicroOp op) {
        Map<LaneKey, Driver> lanes = new LinkedHashMap<>();
        for (int threads : settings.threads()) {
            drivers.forEach(
                    driver -> lanes.put(new LaneKey(driver.target().name(), LaneKey.HADOOP, op, threads), driver));
        }
        for (int window : settings.windows()) {
            drivers.stream()
                    .filter(driver -> driver.target().hasNative())
                    .forEach(driver ->
                            lanes.put(new LaneKey(driver.target().name(), LaneKey.NATIVE, op, window), driver));
        }
        return lanes;
    }

    private void progress(LaneKey lane, String what) {
        console.progress(String.format(
                Locale.ROOT,
                "%s %s of %s, %d at once: %s",
                lane.op().label(),
                lane.api(),
                lane.target(),
                lane.concurrency(),
                what));
    }
}
