package io.lambdafs.functions.namenode.block;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.INode;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Finds the path of an INode by its id, one directory at a time up to the root. Takes no locks: the result is only a
 * hint, verified by what is found at the path. Thread-safe.
 */
public final class Locations {
    /** No valid path has more components; directories moved meanwhile could form a cycle. */
    private static final int MAX_DEPTH = FsPath.MAX_PATH_BYTES / 2;

    private final MetadataStore store;

    public Locations(MetadataStore store) {
        this.store = store;
    }

    /** Returns the path of a directory, or of a file moved while being written; null if the INode has none. */
    public CompletionStage<@Nullable FsPath> pathOf(long epoch, long inodeId) {
        return up(epoch, inodeId, new ArrayDeque<>());
    }

    /** Returns the path of a name in a directory; null if the directory has none. */
    public CompletionStage<@Nullable FsPath> pathOf(long epoch, long directoryId, String name) {
        Deque<String> names = new ArrayDeque<>();
        names.add(name);
        return up(epoch, directoryId, names);
    }

    private CompletionStage<@Nullable FsPath> up(long epoch, long inodeId, Deque<String> names) {
        if (inodeId == INode.ROOT_ID) {
            return CompletableFuture.completedFuture(FsPath.of("/" + String.join("/", names)));
        }
        if (names.size() > MAX_DEPTH) {
            return CompletableFuture.completedFuture(null);
        }
        return store.begin(epoch)
                .readAndEnd(List.of(Read.unlocked(Rows.locationKey(inodeId))), 0)
                .thenCompose(rows -> {
                    Row found = rows.get(0);
                    if (found == null) {
                        return CompletableFuture.completedFuture(null);
                    }
                    names.addFirst(found.string(1));
                    return up(epoch, found.int64(0), names);
                });
    }
}
