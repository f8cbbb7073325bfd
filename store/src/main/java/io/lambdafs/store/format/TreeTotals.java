package io.lambdafs.store.format;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.DirectoryTotals;
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
    private final Map<Long, DirectoryTotals> own = new HashMap<>();

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
        own.merge(
                node.isDirectory() ? node.id() : node.parentId(),
                DirectoryTotals.of(node),
                DirectoryTotals::plusCapped);
    }

    /**
     * Returns the totals of a directory, itself counted, and of those below it down to a depth, as in Hadoop's {@code
     * ContentSummary}.
     *
     * @param depth 0 for the directory alone
     * @throws FsException {@code NOT_FOUND}: there is no such directory
     */
    public SortedMap<FsPath, DirectoryTotals> below(FsPath top, int depth) {
        SortedMap<FsPath, DirectoryTotals> sums = new TreeMap<>();
        own.forEach((id, totals) -> {
            FsPath path = path(id, (long) top.depth() + depth);
            if (path != null && path.isAtOrBelow(top)) {
                for (int at = top.depth(); at <= path.depth(); at++) {
                    sums.merge(path.ancestor(at), totals, DirectoryTotals::plusCapped);
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
