package io.lambdafs.benchmarks.phases;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.benchmarks.peers.Durability;
import io.lambdafs.benchmarks.peers.IndexServers;
import io.lambdafs.benchmarks.peers.Target;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.phases.PhasesSettings;
import io.lambdafs.model.FsPath;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs experiments on several file systems in turns, in reversed order with every size. λFS alone is measured through
 * its own client; among others through Hadoop's interface too. Confined to one thread.
 */
final class PhasesTurns {
    /** Uncounted files of each client before all experiments, so that neither cold starts nor compilation count. */
    private static final int WARM_UP_FILES = 100;
    /** Files of each client in the first warm-up, after which a slow file system is warm enough. */
    private static final int FIRST_FILES = 10;

    private static final double LONG_WARM_UP_SECONDS = 10;

    private final Console console;
    private final ArrayNode rows;
    private final Consumer<String> unfinished;
    private final long turnSeconds;

    /**
     * @param turnSeconds what a turn may take: a file system that is too slow gets fewer files; 0 for no limit
     * @param rows receives a row for each phase
     * @param unfinished receives, after every turn but the last, how many are over
     */
    PhasesTurns(Console console, long turnSeconds, ArrayNode rows, Consumer<String> unfinished) {
        this.console = console;
        this.turnSeconds = turnSeconds;
        this.rows = rows;
        this.unfinished = unfinished;
    }

    /**
     * Runs all experiments.
     *
     * @param folder folder for logs
     * @return the failures
     */
    List<String> run(List<Target> targets, List<PhasesSettings> sizes, Path folder) throws InterruptedException {
        List<PhasesProcess> all = new ArrayList<>();
        List<String> failures = new ArrayList<>();
        String name = "bench-phases-" + System.currentTimeMillis();
        try {
            for (Target target : targets) {
                boolean isIndexFs = target.name().equals(IndexServers.NAME);
                if (target.hasNative() || isIndexFs) {
                    all.add(new PhasesProcess(
                            target, PhasesProcess.NATIVE, folder.resolve("phases-" + all.size() + ".log")));
                }
                if (!isIndexFs && (!target.hasNative() || targets.size() > 1)) {
                    all.add(new PhasesProcess(
                            target, PhasesProcess.HADOOP, folder.resolve("phases-" + all.size() + ".log")));
                }
            }
            for (PhasesProcess each : all) {
                each.await();
            }
            PhasesSettings most = Collections.max(sizes, Comparator.comparingInt(PhasesSettings::clients));
            List<Turn> turns = new ArrayList<>();
            for (PhasesProcess each : all) {
                console.progress("  warming up: " + each.target().name() + " " + each.api());
                turns.add(new Turn(each, warmUp(each, most, name + "-warm-up")));
            }
            int done = 0;
            int wanted = sizes.size() * all.size();
            for (PhasesSettings size : sizes) {
                for (Turn turn : turns) {
                    PhasesProcess each = turn.process;
                    console.progress(
                            "  " + size.clients() + " clients: " + each.target().name() + " " + each.api());
                    FsPath root = root(each, name + "-" + sizes.indexOf(size) + "-" + size.clients());
                    PhasesSettings given = fitting(size, turn.secondsPerFile, turnSeconds);
                    add(each, given, each.run(given.below(root)), failures);
                    done++;
                    if (done < wanted) {
                        unfinished.accept(done + " of " + wanted + " turns are over");
                    }
                }
                Collections.reverse(turns);
            }
        } finally {
            all.forEach(PhasesProcess::close);
        }
        return failures;
    }

    /** A file system, and what each of its files took at last, in all phases. */
    private record Turn(PhasesProcess process, double secondsPerFile) {}

    /** Returns what a file takes, in all phases. */
    private double warmUp(PhasesProcess process, PhasesSettings most, String name) throws InterruptedException {
        double perFile = timed(process, most.withFiles(Math.min(FIRST_FILES, most.files())), name + "-first");
        boolean slow = perFile * most.clients() * FIRST_FILES > LONG_WARM_UP_SECONDS;
        return slow ? perFile : timed(process, most.withFiles(Math.min(WARM_UP_FILES, most.files())), name);
    }

    private static double timed(PhasesProcess process, PhasesSettings settings, String name)
            throws InterruptedException {
        long began = System.nanoTime();
        JsonNode unused = process.run(settings.below(root(process, name)));
        return (System.nanoTime() - began) / 1e9 / settings.clients() / settings.files();
    }

    /** As many of the files as the time allows, at least one of each client. */
    static PhasesSettings fitting(PhasesSettings wanted, double secondsPerFile, long turnSeconds) {
        double most = turnSeconds / (secondsPerFile * wanted.clients());
        return turnSeconds == 0 || most >= wanted.files() ? wanted : wanted.withFiles(Math.max(1, (int) most));
    }

    /** Returns a directory that never existed. */
    private static FsPath root(PhasesProcess process, String name) {
        return FsPath.of(process.target().root(name + "-" + process.api()));
    }

    private void add(PhasesProcess process, PhasesSettings size, JsonNode answer, List<String> failures) {
        String target = process.target().name();
        long failed = 0;
        for (JsonNode each : answer.path("phases")) {
            failed += each.path("failed").asLong();
            rows.addObject()
                    .put("target", target)
                    .put("api", process.api())
                    .put("clients", size.clients())
                    .put("files", size.files())
                    .put("durability", Durability.of(target).text())
                    .setAll((ObjectNode) each);
        }
        if (failed > 0) {
            failures.add(failed + " operations failed: " + target + " " + process.api() + ", " + size.clients()
                    + " clients");
            answer.path("failures").forEach(each -> failures.add(each.asText()));
        }
    }
}
