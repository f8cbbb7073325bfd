package io.lambdafs.benchmarks.phases;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.benchmarks.micro.Durability;
import io.lambdafs.benchmarks.micro.IndexServers;
import io.lambdafs.benchmarks.micro.Target;
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

    private final Console console;
    private final ArrayNode rows;
    private final Consumer<String> unfinished;

    /**
     * @param rows receives a row for each phase
     * @param unfinished receives, after every turn but the last, how many are over
     */
    PhasesTurns(Console console, ArrayNode rows, Consumer<String> unfinished) {
        this.console = console;
        this.rows = rows;
        this.unfinished = unfinished;
    }

    /**
     * Runs all experiments.
     *
     * @param folder folder for logs
     * @return the failures
     */
    List<String> run(List<Target> targets, List<PhasesSettings> sizes, Path folder) {
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
            all.forEach(PhasesProcess::await);
            PhasesSettings most = Collections.max(sizes, Comparator.comparingInt(PhasesSettings::clients));
            for (PhasesProcess each : all) {
                console.progress("  warming up: " + each.target().name() + " " + each.api());
                JsonNode unused = each.run(new PhasesSettings(
                        most.phases(),
                        most.clients(),
                        Math.min(WARM_UP_FILES, most.files()),
                        most.bytes(),
                        most.shared(),
                        root(each, name + "-warm-up")));
            }
            List<PhasesProcess> turns = new ArrayList<>(all);
            int done = 0;
            int wanted = sizes.size() * all.size();
            for (PhasesSettings size : sizes) {
                for (PhasesProcess each : turns) {
                    console.progress(
                            "  " + size.clients() + " clients: " + each.target().name() + " " + each.api());
                    FsPath root = root(each, name + "-" + sizes.indexOf(size) + "-" + size.clients());
                    add(each, size, each.run(size.below(root)), failures);
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
