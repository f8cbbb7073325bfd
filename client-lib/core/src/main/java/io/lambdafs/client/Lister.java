package io.lambdafs.client;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.operation.Reply;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Lists a directory page by page, in name order. If the directory changes meanwhile, each child present throughout
 * appears exactly once. Not thread-safe: request the next page only after the previous one has arrived.
 */
public final class Lister {
    private final LambdaFs fs;
    private final FsPath path;
    private final int pageSize;
    private String startAfter = "";
    private boolean atEnd;

    Lister(LambdaFs fs, FsPath path, int pageSize) {
        this.fs = fs;
        this.path = path;
        this.pageSize = pageSize;
    }

    /** Returns the next entries; none at the end. Fails as {@link LambdaFs#list}. */
    public CompletionStage<List<Attributes>> next() {
        if (atEnd) {
            return CompletableFuture.completedFuture(List.of());
        }
        return fs.list(path, startAfter, pageSize).thenCompose(this::turned);
    }

    private CompletionStage<List<Attributes>> turned(Reply.Page page) {
        List<Attributes> entries = page.entries();
        atEnd = !page.more() || entries.isEmpty();
        if (!entries.isEmpty()) {
            startAfter = entries.get(entries.size() - 1).name();
        }
        return CompletableFuture.completedFuture(entries);
    }

    /** Returns whether the last page has arrived. */
    public boolean isAtEnd() {
        return atEnd;
    }
}
