package io.lambdafs.functions.namenode.transaction;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.INode;
import io.lambdafs.store.Key;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rows locked by a write and the current time: the only inputs to its decision. Immutable. */
public final class LockedRows {
    private final Map<Key, Row> rows = new HashMap<>();

    private final long nowMillis;

    /** @param nowMillis wall clock, milliseconds since 1970 */
    public LockedRows(List<Read> reads, List<@Nullable Row> found, long nowMillis) {
        this.nowMillis = nowMillis;
        for (int i = 0; i < reads.size(); i++) {
            Row row = found.get(i);
            if (row != null) {
                rows.put(reads.get(i).key(), row);
            }
        }
    }

    public long nowMillis() {
        return nowMillis;
    }

    public @Nullable Row row(Key key) {
        return rows.get(key);
    }

    public @Nullable INode inode(long parentId, String name) {
        Row row = rows.get(Rows.inodeKey(parentId, name));
        return row == null ? null : Rows.inode(row);
    }

    /**
     * Verifies a resolution under the locks: the directory has not moved and no subtree operation holds it. Its
     * ancestors cannot have changed, because this operation is counted as in flight below them.
     */
    public INode sameDirectory(INode resolved, FsPath path) {
        INode now = inode(resolved.parentId(), resolved.name());
        if (now == null || now.id() != resolved.id()) {
            throw Restart.changed("\"" + path + "\"");
        }
        if (now.isFlagged()) {
            throw Restart.flagged(now);
        }
        return now;
    }
}
