package io.lambdafs.hammer.tree;

import java.util.Map;

/**
 * The result of an import. Immutable.
 *
 * @param tree the imported files and directories, for a replay to build on
 * @param directories created, without the target itself
 * @param files created
 * @param withoutContent files imported without their content
 * @param contentBytes bytes of imported content
 * @param skipped entries left out, by reason; a directory counts once, whatever lies below it
 * @param limited whether the limit on files ended the walk
 * @param seconds time taken
 */
public record ImportResult(
        ImportedTree tree,
        long directories,
        long files,
        long withoutContent,
        long contentBytes,
        Map<SkipReason, Long> skipped,
        boolean limited,
        double seconds) {
    public ImportResult {
        skipped = Map.copyOf(skipped);
    }

    /** Returns the number of entries left out for one reason. */
    public long skipped(SkipReason reason) {
        return skipped.getOrDefault(reason, 0L);
    }
}
