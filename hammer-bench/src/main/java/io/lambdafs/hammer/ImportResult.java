package io.lambdafs.hammer;

import java.util.Map;

/**
 * What an import did. Immutable.
 *
 * @param tree what is now in the file system, for a replay to build on
 * @param directories made, without the target itself
 * @param files made
 * @param withoutContent files among them that came without their content
 * @param contentBytes bytes of content kept
 * @param skipped entries left out, by reason; a directory left out counts once, whatever lies below it
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

    /** Entries left out for one reason. */
    public long skipped(SkipReason reason) {
        return skipped.getOrDefault(reason, 0L);
    }
}
