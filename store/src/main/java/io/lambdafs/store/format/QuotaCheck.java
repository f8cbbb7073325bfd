package io.lambdafs.store.format;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.DirectoryTotals;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.inode.Quota;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Compares what directories are charged with a recount, in one pass over a store's rows, and changes nothing. Memory
 * grows with the directories, not with the files. Not thread-safe.
 */
public final class QuotaCheck {
    private final Map<Long, INode> directories = new HashMap<>();
    private final Map<Long, Row> limited = new HashMap<>();
    private final TotalsRecount recount = new TotalsRecount();
    private long inodes;
    private boolean isExact;

    /** @param rows of one moment, in any order */
    public QuotaCheck(Iterable<Row> rows) {
        rows.forEach(this::add);
    }

    /**
     * A directory's quota, and what is charged to it.
     *
     * @param charged what is below it
     */
    public record Charged(Quota quota, DirectoryTotals charged) {}

    private void add(Row row) {
        if (row.key().table().equals(Schema.INODES)) {
            INode node = Rows.inode(row);
            inodes++;
            recount.count(node);
            if (node.isDirectory()) {
                directories.put(node.id(), node);
            }
        } else if (row.key().table().equals(Schema.DIRECTORY_TOTALS)) {
            recount.stored(row);
            if (!Rows.quota(row).equals(Quota.UNLIMITED)) {
                limited.put(row.key().int64(0), row);
            }
        } else if (row.key().equals(TotalsState.KEY)) {
            isExact = TotalsState.isExact(row);
        }
    }

    /** Returns the number of INodes that were counted. */
    public long inodes() {
        return inodes;
    }

    /** Returns whether the store says that its totals are exact. */
    public boolean saysExact() {
        return isExact;
    }

    /** Returns the directories with a quota, by path. */
    public SortedMap<FsPath, Charged> quotas() {
        SortedMap<FsPath, Charged> quotas = new TreeMap<>();
        limited.forEach((id, row) -> {
            FsPath path = path(id);
            if (path != null) {
                quotas.put(path, new Charged(Rows.quota(row), Rows.totals(row)));
            }
        });
        return quotas;
    }

    /** Returns what the charged totals lack, by path; those that are right are left out. */
    public SortedMap<FsPath, DirectoryTotals> wrong() {
        SortedMap<FsPath, DirectoryTotals> wrong = new TreeMap<>();
        recount.missing().forEach((id, lacking) -> {
            FsPath path = path(id);
            if (path != null) {
                wrong.put(path, lacking);
            }
        });
        return wrong;
    }

    /** Returns a directory's path; null if it is not in the tree. */
    private @Nullable FsPath path(long id) {
        Deque<String> names = new ArrayDeque<>();
        long at = id;
        while (at != INode.ROOT_ID) {
            INode node = directories.get(at);
            if (node == null || names.size() > directories.size()) {
                return null;
            }
            names.push(node.name());
            at = node.parentId();
        }
        return FsPath.of("/" + String.join("/", names));
    }
}
