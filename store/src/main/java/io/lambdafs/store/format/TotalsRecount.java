package io.lambdafs.store.format;

import io.lambdafs.model.inode.DirectoryTotals;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.inode.Quota;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Counts what is below each directory, and compares that with the stored totals of the same moment. Memory grows with
 * the directories, not with the files. Not thread-safe.
 */
final class TotalsRecount {
    /** Each directory's parent. */
    private final Map<Long, Long> parents = new HashMap<>();
    /** The sum of the INodes directly in each directory. */
    private final Map<Long, DirectoryTotals> own = new HashMap<>();

    private final Map<Long, DirectoryTotals> stored = new HashMap<>();
    /** The directories whose totals have limits, and those that say so. */
    private final Set<Long> limited = new HashSet<>();

    private final Set<Long> withQuota = new HashSet<>();

    void count(INode node) {
        if (node.isDirectory()) {
            parents.put(node.id(), node.parentId());
            if (node.hasQuota()) {
                withQuota.add(node.id());
            }
        }
        own.merge(node.parentId(), DirectoryTotals.of(node), DirectoryTotals::plus);
    }

    /** Adds a row of {@link io.lambdafs.store.Schema#DIRECTORY_TOTALS}. */
    void stored(Row row) {
        stored.put(row.key().int64(0), Rows.totals(row));
        if (!Rows.quota(row).equals(Quota.UNLIMITED)) {
            limited.add(row.key().int64(0));
        }
    }

    /** Returns what the stored totals lack, by directory of the tree; those that are right are left out. */
    SortedMap<Long, DirectoryTotals> missing() {
        Map<Long, DirectoryTotals> counted = new HashMap<>();
        own.forEach((id, totals) -> {
            if (isInTree(id)) {
                for (Long at = id; at != null && at != 0; at = parents.get(at)) {
                    counted.merge(at, totals, DirectoryTotals::plus);
                }
            }
        });
        SortedMap<Long, DirectoryTotals> missing = new TreeMap<>();
        parents.keySet().forEach(id -> {
            DirectoryTotals lacking = of(id, counted).minus(of(id, stored));
            if (!lacking.equals(DirectoryTotals.NONE) && isInTree(id)) {
                missing.put(id, lacking);
            }
        });
        return missing;
    }

    /** Returns the directories of the tree that have limits and do not say so, or the other way round. */
    SortedSet<Long> wronglyLimited() {
        SortedSet<Long> wrong = new TreeSet<>();
        parents.keySet().forEach(id -> {
            if (limited.contains(id) != withQuota.contains(id) && isInTree(id)) {
                wrong.add(id);
            }
        });
        return wrong;
    }

    private static DirectoryTotals of(long id, Map<Long, DirectoryTotals> totals) {
        return totals.getOrDefault(id, DirectoryTotals.NONE);
    }

    private boolean isInTree(long id) {
        Long at = id;
        for (int steps = 0; at != null && at != INode.ROOT_ID; steps++) {
            at = steps > parents.size() ? null : parents.get(at);
        }
        return at != null;
    }

    /** Returns the directories that are gone and have totals. */
    Set<Long> left() {
        Set<Long> left = new HashSet<>(stored.keySet());
        left.removeAll(parents.keySet());
        return left;
    }
}
