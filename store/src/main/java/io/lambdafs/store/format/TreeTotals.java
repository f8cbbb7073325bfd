package io.lambdafs.store.format;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.INode;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sums up directories with everything below them, in one pass over a store's rows. Memory grows with the directories,
 * not with the files. Not thread-safe while it is made.
 */
public final class TreeTotals {
    private final Map<Long, INode> directories = new HashMap<>();
    /** Totals of each directory's own files, and of itself. */
    private final Map<Long, Totals> own = new HashMap<>();

    /**
     * The totals of a tree, as in Hadoop's {@code ContentSummary}. A number that would overflow stays at the largest.
     *
     * @param directories including the top
     * @param bytes lengths of all files
     * @param space bytes × replication
     */
    public record Totals(long files, long directories, long bytes, long space) {
        private static final Totals DIRECTORY = new Totals(0, 1, 0, 0);

        private static Totals of(INode node) {
            if (node.isDirectory()) {
                return DIRECTORY;
            }
            long bytes = Math.max(0, node.size());
            long replicas = Math.max(1, node.replication());
            return new Totals(1, 0, bytes, bytes > Long.MAX_VALUE / replicas ? Long.MAX_VALUE : bytes * replicas);
        }

        private Totals plus(Totals more) {
            return new Totals(
                    files + more.files, directories + more.directories, sum(bytes, more.bytes), sum(space, more.space));
        }

        private static long sum(long a, long b) {
            return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
        }
    }

    /** @param rows of one moment, table by table; what follows the INodes is not read */
    public TreeTotals(Iterable<Row> rows) {
        boolean begun = false;
        for (Row row : rows) {
            if (row.key().table().equals(Schema.INODES)) {
                begun = true;
                count(Rows.inode(row));
            } else if (begun) {
                break;
            }
        }
    }

    private void count(INode node) {
        if (node.isDirectory()) {
            directories.put(node.id(), node);
        }
        own.merge(node.isDirectory() ? node.id() : node.parentId(), Totals.of(node), Totals::plus);
    }

    /**
     * Returns the totals of a directory, and of those below it down to a depth.
     *
     * @param depth 0 for the directory alone
     * @throws FsException {@code NOT_FOUND}: there is no such directory
     */
    public SortedMap<FsPath, Totals> below(FsPath top, int depth) {
        SortedMap<FsPath, Totals> sums = new TreeMap<>();
        own.forEach((id, totals) -> {
            FsPath path = path(id, (long) top.depth() + depth);
            if (path != null && path.isAtOrBelow(top)) {
                for (int at = top.depth(); at <= path.depth(); at++) {
                    sums.merge(path.ancestor(at), totals, Totals::plus);
                }
            }
        });
        if (!sums.containsKey(top)) {
            throw new FsException(ErrorCode.NOT_FOUND, "there is no directory \"" + top + "\"");
        }
        return sums;
    }

    /** Returns the first names of a directory's path; null if it is not in the tree, such as one that waits for reclaim. */
    private @Nullable FsPath path(long id, long limit) {
        Deque<String> names = new ArrayDeque<>();
        long at = id;
        while (at != INode.ROOT_ID) {
            INode directory = directories.get(at);
            if (directory == null || names.size() > directories.size()) {
                return null;
            }
            names.addFirst(directory.name());
            at = directory.parentId();
        }
        return FsPath.of(names.stream().limit(limit).collect(Collectors.joining("/", "/", "")));
    }
}
