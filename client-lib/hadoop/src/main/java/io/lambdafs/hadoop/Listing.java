package io.lambdafs.hadoop;

import io.lambdafs.client.LambdaFs;
import io.lambdafs.client.Lister;
import io.lambdafs.hadoop.convert.Failures;
import io.lambdafs.hadoop.convert.Statuses;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletionStage;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over the entries of a directory, or a file itself, fetching page by page with one page prefetched. The first
 * page is fetched at once, so that a missing directory is noticed before the first entry is requested. Not thread-safe.
 */
final class Listing implements RemoteIterator<FileStatus> {
    static final int PAGE = 1_000;

    private final SharedClients.Use use;
    private final FsPath path;
    private final Path qualified;
    private final Children children;
    private final Statuses statuses;
    private final Lister lister;
    private final boolean isFile;
    private final @Nullable ListingsAhead others;
    private Iterator<Attributes> page;
    private CompletionStage<List<Attributes>> ahead;

    /** @param others where the listings of children begin ahead; null where none do */
    Listing(SharedClients.Use use, FsPath path, Path qualified, Statuses statuses, @Nullable ListingsAhead others)
            throws IOException {
        LambdaFs fs = use.client();
        this.use = use;
        this.path = path;
        this.qualified = qualified;
        this.children = new Children(qualified);
        this.statuses = statuses;
        this.others = others;
        ListingsAhead.Begun begun = others == null ? null : others.take(path);
        this.lister = begun == null ? fs.lister(path, PAGE) : begun.lister();
        List<Attributes> first = Failures.await(begun == null ? lister.next() : begun.first(), path.toString());
        this.isFile = isFile(fs, first);
        this.page = begin(first);
        this.ahead = lister.next();
    }

    /**
     * Returns whether the path is a file, which lists itself. A directory whose only child has its own name looks the
     * same; its attributes then decide.
     */
    private boolean isFile(LambdaFs fs, List<Attributes> first) throws IOException {
        boolean maybe = first.size() == 1
                && lister.isAtEnd()
                && !first.get(0).isDirectory()
                && first.get(0).name().equals(path.name());
        return maybe && !Failures.await(fs.stat(path), path.toString()).isDirectory();
    }

    private Iterator<Attributes> begin(List<Attributes> entries) {
        if (others != null && !isFile) {
            entries.stream()
                    .filter(Attributes::isDirectory)
                    .forEach(entry -> others.seen(path, path.child(entry.name())));
        }
        return entries.iterator();
    }

    @Override
    public boolean hasNext() throws IOException {
        use.checkOpen();
        if (!page.hasNext()) {
            page = begin(Failures.await(ahead, path.toString()));
            ahead = lister.next();
        }
        return page.hasNext();
    }

    @Override
    public FileStatus next() throws IOException {
        if (!hasNext()) {
            throw new NoSuchElementException("no more entries in " + path);
        }
        Attributes entry = page.next();
        return statuses.of(entry, isFile ? qualified : children.path(entry.name()));
    }
}
