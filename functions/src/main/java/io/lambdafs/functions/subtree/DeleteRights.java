package io.lambdafs.functions.subtree;

import io.lambdafs.functions.namenode.Access;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.time.Loop;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Checks HDFS's permissions for a recursive delete: read, write and search on every non-empty directory, and in a
 * sticky one ownership of all children. Checks many directories at a time; a tree with more directories than the limit
 * is refused. Used by one execution, under its mark.
 */
final class DeleteRights {
    /** With more, the mark would be held for longer than a client waits. */
    static final int MAX_DIRECTORIES = 100_000;

    private static final int SCAN_ROWS = 1_000;
    private static final int SCANS_AT_ONCE = 32;

    private final MetadataStore store;
    private final Access access;
    private final Principal who;
    private final FsPath path;
    private final int maxDirectories;
    private final FsException tooMany;
    /** A stack (depth first), so that few are pending. */
    private final Deque<Page> pending = new ArrayDeque<>();

    private int directories;

    /**
     * Prepares a check.
     *
     * @param path shown in refusals
     * @param tooMany the refusal if there are more directories than {@code maxDirectories}
     */
    DeleteRights(
            MetadataStore store, Access access, Principal who, FsPath path, int maxDirectories, FsException tooMany) {
        this.store = store;
        this.access = access;
        this.who = who;
        this.path = path;
        this.maxDirectories = maxDirectories;
        this.tooMany = tooMany;
    }

    /** The next page of a directory to read. */
    private record Page(INode directory, @Nullable String after) {}

    /** A page of a directory that was read. */
    private record Children(INode directory, List<Row> rows) {}

    /** Checks the tree; fails with the first refusal. */
    CompletionStage<@Nullable Void> check(INode root) {
        directories = 1;
        pending.push(new Page(root, null));
        return Loop.whileTrue(this::round);
    }

    /** Reads and checks pages concurrently; completes with whether there are more. */
    private CompletionStage<Boolean> round() {
        int count = Math.min(SCANS_AT_ONCE, pending.size());
        Children[] found = new Children[count];
        CompletableFuture<?>[] scans = new CompletableFuture<?>[count];
        for (int i = 0; i < count; i++) {
            int at = i;
            scans[i] = scan(pending.pop())
                    .thenAccept(children -> found[at] = children)
                    .toCompletableFuture();
        }
        return CompletableFuture.allOf(scans).thenApply(all -> {
            for (Children children : found) {
                check(children);
            }
            return !pending.isEmpty();
        });
    }

    private CompletionStage<Children> scan(Page page) {
        long id = page.directory().id();
        StoreTransaction look = store.begin(0);
        return look.scan(new Scan(Schema.INODES, id, page.after(), SCAN_ROWS))
                .whenComplete((rows, error) -> look.abort())
                .thenApply(rows -> new Children(page.directory(), rows));
    }

    private void check(Children children) {
        INode directory = children.directory();
        List<Row> rows = children.rows();
        if (!rows.isEmpty()) {
            access.check(who, directory, Access.ALL, path);
        }
        if (rows.size() == SCAN_ROWS) {
            pending.push(new Page(directory, rows.get(rows.size() - 1).key().string(1)));
        }
        for (Row row : rows) {
            INode child = Rows.inode(row);
            access.checkSticky(who, directory, child, path);
            if (child.isDirectory()) {
                pending.push(new Page(child, null));
                if (++directories > maxDirectories) {
                    throw tooMany;
                }
            }
        }
    }
}
