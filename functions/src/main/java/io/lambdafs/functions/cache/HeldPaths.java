package io.lambdafs.functions.cache;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.Scope;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Reference counts of paths that must not be filled because a change is on its way to the store. Guarded by the trie's
 * mutex.
 */
final class HeldPaths {
    private final Map<FsPath, Integer> entries = new HashMap<>();
    private final Map<FsPath, Integer> listings = new HashMap<>();

    void hold(Scope scope) {
        scope.entries().forEach(path -> entries.merge(path, 1, Integer::sum));
        scope.wholeListings().forEach(path -> listings.merge(path, 1, Integer::sum));
    }

    void release(Scope scope) {
        scope.entries().forEach(path -> entries.computeIfPresent(path, HeldPaths::less));
        scope.wholeListings().forEach(path -> listings.computeIfPresent(path, HeldPaths::less));
    }

    @SuppressWarnings("NullAway") // Null removes the entry.
    private static Integer less(FsPath path, Integer count) {
        return count == 1 ? null : count - 1;
    }

    boolean covers(Fill fill) {
        return (fill.isOfListing() ? listings : entries).containsKey(fill.path());
    }

    /** Adds the held names of a directory. */
    void names(FsPath directory, Collection<String> to) {
        for (FsPath path : entries.keySet()) {
            if (path.isChildOf(directory)) {
                to.add(path.name());
            }
        }
    }
}
