package io.lambdafs.testing.simulation.snapshots;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.Difference;
import io.lambdafs.model.operation.Difference.Kind;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The differences between two snapshots, by the trees at their moments. Stateless. */
final class TakenDifferences {
    private TakenDifferences() {}

    /** Returns what is wrong with the differences that were told; null for nothing. What changed twice may be as it was. */
    static @Nullable String wrong(SnapshotModel.Taken from, SnapshotModel.Taken to, List<Difference> told) {
        Set<Difference> expected = between(from, to);
        Set<Difference> missing = new HashSet<>(expected);
        told.forEach(missing::remove);
        Set<Difference> more = new HashSet<>(told);
        more.removeAll(expected);
        Map<Long, FsPath> there = paths(to);
        Set<Long> known = paths(from).keySet();
        for (Difference each : expected) {
            // It may have come there outside of the directory, into a tree that was moved in: then it was removed.
            if (each.kind() == Kind.RENAMED
                    && missing.contains(each)
                    && !known.contains(node(to, FsPath.of("/" + each.target())).parentId())) {
                missing.removeIf(other -> other.path().equals(each.path()));
                more.remove(new Difference(Kind.DELETED, each.path(), ""));
            }
        }
        more.removeIf(each -> {
            SnapshotModel.Entry entry = from.files().get(FsPath.of("/" + each.path()));
            return each.kind() == Kind.MODIFIED
                    && entry != null
                    && there.containsKey(entry.node().id());
        });
        return missing.isEmpty() && more.isEmpty()
                ? null
                : "from " + from.number() + " to " + to.number() + " it was not told " + missing + ", and was told "
                        + more;
    }

    private static Map<Long, FsPath> paths(SnapshotModel.Taken taken) {
        Map<Long, FsPath> paths = new HashMap<>();
        taken.files().forEach((path, entry) -> paths.put(entry.node().id(), path));
        return paths;
    }

    private static Set<Difference> between(SnapshotModel.Taken from, SnapshotModel.Taken to) {
        Map<Long, FsPath> before = paths(from);
        Map<Long, FsPath> after = paths(to);
        Set<Difference> all = new HashSet<>();
        before.forEach((id, path) -> {
            INode was = node(from, path);
            FsPath now = after.get(id);
            if (now == null) {
                if (after.containsKey(was.parentId())) {
                    all.add(new Difference(Kind.DELETED, below(path), ""));
                    parent(all, before, after, was);
                }
                return;
            }
            INode is = node(to, now);
            boolean moved = !path.isRoot()
                    && (was.parentId() != is.parentId() || !was.name().equals(is.name()));
            if (moved) {
                all.add(new Difference(Kind.RENAMED, below(path), below(now)));
                parent(all, before, after, was);
                parent(all, before, after, is);
            }
            boolean same =
                    path.isRoot() || (was.mode() == is.mode() && was.size() == is.size() && was.mtime() == is.mtime());
            if (!same) {
                all.add(new Difference(Kind.MODIFIED, below(path), ""));
            }
        });
        after.forEach((id, path) -> {
            INode is = node(to, path);
            if (!before.containsKey(id) && before.containsKey(is.parentId())) {
                all.add(new Difference(Kind.CREATED, below(path), ""));
                parent(all, before, after, is);
            }
        });
        return all;
    }

    /** A directory is modified by what comes and goes in it. */
    private static void parent(Set<Difference> all, Map<Long, FsPath> before, Map<Long, FsPath> after, INode child) {
        FsPath path = before.get(child.parentId());
        if (path != null && after.containsKey(child.parentId())) {
            all.add(new Difference(Kind.MODIFIED, below(path), ""));
        }
    }

    private static INode node(SnapshotModel.Taken taken, FsPath path) {
        SnapshotModel.Entry entry = taken.files().get(path);
        if (entry == null) {
            throw new IllegalStateException("nothing is at " + path);
        }
        return entry.node();
    }

    private static String below(FsPath path) {
        return path.isRoot() ? "" : path.toString().substring(1);
    }
}
