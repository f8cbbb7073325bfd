package io.lambdafs.functions.cache;

import io.lambdafs.model.Scope;
import java.util.List;

/**
 * The effect of a write on the cache. Immutable.
 *
 * @param scope the entries and listings it changes
 * @param fills items the leader may cache after the commit
 * @param children changed children of the scope's listings, each among its entries
 */
public record CacheChange(Scope scope, List<Fill> fills, List<Child> children) {
    public static final CacheChange NONE = new CacheChange(Scope.NONE, List.of(), List.of());

    public CacheChange {
        fills = List.copyOf(fills);
        children = List.copyOf(children);
        for (Child child : children) {
            if (!scope.entries().contains(child.path())) {
                throw new IllegalArgumentException("not named by the change's scope: " + child.path());
            }
        }
    }
}
