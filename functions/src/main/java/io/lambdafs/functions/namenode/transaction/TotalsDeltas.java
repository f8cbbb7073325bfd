package io.lambdafs.functions.namenode.transaction;

import io.lambdafs.model.inode.DirectoryTotals;
import io.lambdafs.model.inode.INode;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import io.lambdafs.store.format.TotalsState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Computes what a write adds to the totals of directories (PROTOCOL: T1, T2, T3), from the rows that it has locked and
 * those that it writes, and judges it by their quotas (PROTOCOL: Q2). Single use.
 */
public final class TotalsDeltas {
    private final LockedRows rows;
    /** The parent of each directory on a resolved path, or made by the write. */
    private final Map<Long, Long> parents = new HashMap<>();
    /** The paths of those that have a quota. */
    private final Map<Long, String> limited = new HashMap<>();

    private final Map<Long, DirectoryTotals> added = new LinkedHashMap<>();
    private boolean isMove;

    private TotalsDeltas(LockedRows rows) {
        this.rows = rows;
    }

    /**
     * Returns the locks of a write that moves or removes a directory: it takes along what is below, which stands still
     * under the mark.
     */
    public static List<Read> locks(INode moved) {
        return List.of(Read.shared(TotalsState.KEY), Read.unlocked(Rows.totalsKey(moved.id())));
    }

    /** Returns the reads of the limits that a write may come to. */
    public static Set<Read> limits(List<Chain> chains) {
        Set<Read> limits = new LinkedHashSet<>();
        for (Chain chain : chains) {
            for (INode node : chain.nodes()) {
                if (node.hasQuota()) {
                    limits.add(Read.unlocked(Rows.totalsKey(node.id())));
                }
            }
        }
        return limits;
    }

    /**
     * Returns the deltas that belong to a write's mutations.
     *
     * @throws io.lambdafs.model.FsException if a quota does not admit them, by the totals among the rows
     */
    public static List<Mutation> of(List<Chain> chains, LockedRows rows, List<Mutation> mutations) {
        TotalsDeltas deltas = new TotalsDeltas(rows);
        for (Chain chain : chains) {
            deltas.found(chain);
        }
        deltas.after(mutations).forEach(deltas::changed);
        return deltas.mutations();
    }

    private void found(Chain chain) {
        INode[] nodes = chain.nodes();
        for (int depth = 0; depth < nodes.length; depth++) {
            INode node = nodes[depth];
            parents.put(node.id(), node.parentId());
            if (node.hasQuota()) {
                limited.put(node.id(), chain.path().ancestor(depth).toString());
            }
        }
    }

    /** Returns the INodes that a write leaves at the keys that it changes; null for none. */
    private Map<Key, @Nullable INode> after(List<Mutation> mutations) {
        Map<Key, @Nullable INode> after = new LinkedHashMap<>();
        for (Mutation mutation : mutations) {
            if (mutation.key().table().equals(Schema.INODES) && mutation.key().int64(0) != INode.RECLAIM_ID) {
                INode node = mutation instanceof Mutation.Put put ? Rows.inode(put.row()) : null;
                after.put(mutation.key(), node);
                if (node != null && node.isDirectory()) {
                    parents.put(node.id(), node.parentId());
                }
            }
        }
        return after;
    }

    private void changed(Key key, @Nullable INode after) {
        Row row = rows.row(key);
        INode before = row == null ? null : Rows.inode(row);
        isMove |= before != null && before.isDirectory() && (after == null || after.id() != before.id());
        DirectoryTotals more = share(after).minus(share(before));
        if (more.equals(DirectoryTotals.NONE)) {
            return;
        }
        long directory = key.int64(0);
        while (directory != 0) {
            added.merge(directory, more, DirectoryTotals::plus);
            Long above = parents.get(directory);
            if (above == null) {
                throw new IllegalStateException("the directories above " + directory + " are not known");
            }
            directory = above;
        }
    }

    /** Returns what an INode adds to the directories above it, with all that is below it. */
    private DirectoryTotals share(@Nullable INode node) {
        if (node == null) {
            return DirectoryTotals.NONE;
        }
        DirectoryTotals own = DirectoryTotals.of(node);
        return node.isDirectory() ? own.plus(Rows.totals(rows.row(Rows.totalsKey(node.id())))) : own;
    }

    private List<Mutation> mutations() {
        List<Mutation> mutations = new ArrayList<>(added.size());
        added.forEach((id, more) -> {
            if (!more.equals(DirectoryTotals.NONE)) {
                mutations.add(change(id, more));
            }
        });
        if (isMove && !TotalsState.isExact(rows.row(TotalsState.KEY))) {
            mutations.add(TotalsState.moved());
        }
        return mutations;
    }

    private Mutation change(long directory, DirectoryTotals more) {
        String path = limited.get(directory);
        if (path == null) {
            return Rows.totalsChanged(directory, more);
        }
        Row totals = rows.row(Rows.totalsKey(directory));
        Quotas.check(path, Rows.quota(totals), Rows.totals(totals), more);
        return Rows.totalsChanged(directory, more, true);
    }
}
