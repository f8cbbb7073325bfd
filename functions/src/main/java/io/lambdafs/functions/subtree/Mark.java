package io.lambdafs.functions.subtree;

import io.lambdafs.functions.namenode.transaction.LockedRows;
import io.lambdafs.functions.namenode.transaction.Restart;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.INode;
import io.lambdafs.store.Read;
import io.lambdafs.store.Rows;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * A directory to be marked, by its path and parent.
 *
 * @param parent its parent, as resolved; the root is its own parent
 */
public record Mark(FsPath path, INode parent) {
    long parentId() {
        return path.isRoot() ? 0 : parent.id();
    }

    /** Adds the locks for setting the mark: its row and its parent's. */
    void addLocks(Collection<Read> reads) {
        reads.add(Read.exclusive(Rows.inodeKey(parentId(), path.name())));
        if (!path.isRoot()) {
            reads.add(Read.shared(Rows.inodeKey(parent.parentId(), parent.name())));
        }
    }

    /** Returns the directory as found under the locks; null if missing. Restarts if its parent has changed. */
    @Nullable
    INode directory(LockedRows rows) {
        rows.sameDirectory(parent, path.parent());
        INode found = rows.inode(parentId(), path.name());
        if (found != null && found.isFile()) {
            throw Restart.changed("\"" + path + "\"");
        }
        return found;
    }
}
