package io.lambdafs.store.database;

import io.lambdafs.store.ChangeLog;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.engine.Deltas;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Computes a group's net effect on each row, for databases that are sent only the result. Stateless. */
public final class GroupChanges {
    private GroupChanges() {}

    /** Returns the keys whose current rows are needed by merges and change log positions. */
    public static Set<Key> begun(List<List<Mutation>> group) {
        Set<Key> begun = new LinkedHashSet<>();
        for (List<Mutation> commit : group) {
            for (Mutation mutation : commit) {
                if (mutation instanceof Mutation.Append) {
                    begun.add(ChangeLog.NEXT);
                } else if (mutation instanceof Mutation.Merge) {
                    begun.add(mutation.key());
                }
            }
        }
        return begun;
    }

    /**
     * Returns the row of each key that the group changes, in the order of the changes; null if it is removed.
     *
     * @param before the current rows of {@link #begun}
     * @param refused set to the places of the commits that a quota does not admit: they change nothing
     */
    public static Map<Key, @Nullable Row> of(List<List<Mutation>> group, Map<Key, Row> before, BitSet refused) {
        Map<Key, @Nullable Row> changed = new LinkedHashMap<>();
        refused.clear();
        for (int i = 0; i < group.size(); i++) {
            List<Mutation> commit = group.get(i);
            if (!Deltas.admits(commit, key -> changed.containsKey(key) ? changed.get(key) : before.get(key))) {
                refused.set(i);
                continue;
            }
            for (Mutation mutation : commit) {
                Key key = mutation.key();
                if (mutation instanceof Mutation.Put put) {
                    changed.put(key, put.row());
                } else if (mutation instanceof Mutation.Merge merge) {
                    Row current = changed.containsKey(key) ? changed.get(key) : before.get(key);
                    changed.put(key, Deltas.apply(current, merge));
                } else if (mutation instanceof Mutation.Append append) {
                    Row next = changed.getOrDefault(ChangeLog.NEXT, before.get(ChangeLog.NEXT));
                    long position = ChangeLog.position(next);
                    Key placed = ChangeLog.key(position);
                    changed.put(placed, append.row().at(placed));
                    changed.put(ChangeLog.NEXT, ChangeLog.after(position));
                } else {
                    changed.put(key, null);
                }
            }
        }
        return changed;
    }
}
