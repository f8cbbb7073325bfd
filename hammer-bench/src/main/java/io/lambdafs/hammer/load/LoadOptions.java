package io.lambdafs.hammer.load;

import io.lambdafs.cluster.options.Options;
import io.lambdafs.hammer.measure.ResultPage;
import io.lambdafs.hammer.tree.TreeNames;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The options of an import and a replay, checked before anything is started or changed. Immutable.
 *
 * @param tree a readable local directory
 * @param maxFiles maximum number of files to import, 1–10,000,000
 * @param seconds length of the load, 1–86,400
 * @param baseOps operations per second, 1–1,000,000
 * @param report directory of the page; created if missing
 * @param names names to import instead of the tree, which is then ignored; null for the tree's
 */
public record LoadOptions(
        Path tree,
        int maxFiles,
        int seconds,
        double baseOps,
        Path report,
        @Nullable TreeNames names) {
    public LoadOptions {
        Options.check(
                names != null || (Files.isDirectory(tree) && Files.isReadable(tree) && Files.isExecutable(tree)),
                "--tree " + tree + " is not a directory that can be read");
        Options.check(maxFiles >= 1 && maxFiles <= 10_000_000, "--max-files is 1..10000000, not " + maxFiles);
        Options.check(seconds >= 1 && seconds <= 86_400, "--seconds is 1..86400, not " + seconds);
        Options.check(baseOps >= 1 && baseOps <= 1_000_000, "--base-ops is 1..1000000, not " + baseOps);
        Options.check(ResultPage.canHold(report), "--report " + report + " is not a directory that can be written");
    }

    public LoadOptions(Path tree, int maxFiles, int seconds, double baseOps, Path report) {
        this(tree, maxFiles, seconds, baseOps, report, null);
    }
}
