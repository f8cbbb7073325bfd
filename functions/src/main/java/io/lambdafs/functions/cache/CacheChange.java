package io.lambdafs.functions.cache;

import io.lambdafs.model.Scope;
import java.util.List;

/**
 * What a write does to the cache. Immutable.
 *
 * @param scope what it changes
 * @param fills what the leader may cache after the commit
 * @param children all that changes in the directories among the scope's listings
 */
public record CacheChange(Scope scope, List<Fill> fills, List<Child> children) {
    public static final CacheChange NONE = new CacheChange(Scope.NONE, List.of(), List.of());

    public CacheChange {
        fills = List.copyOf(fills);
        children = List.copyOf(children);
    }
}
