package io.lambdafs.hadoop;

import io.lambdafs.model.Attributes;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.Reply;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * Iterates over everything below a directory, or a file itself, in no particular order. Requests pages of many
 * directories concurrently from the owning deployments, depth first, so that few directories are remembered. The first
 * page is fetched at once, so that a missing directory is noticed before the first entry is requested. Not a snapshot.
 * Not thread-safe.
 */
final class Tree implements RemoteIterator<FileStatus> {
    private static final int PAGES_AHEAD = 32;
    private static final int PAGE = 1_000;

    private final SharedClients.Use use;
    private final Statuses statuses;
    private final Deque<Place> ahead = new ArrayDeque<>();
    private final Queue<Asked> asked = new ArrayDeque<>();
    private Children children;
    private Iterator<Attributes> page;

    /** The start of a directory's next page. */
    private record Place(FsPath path, Path qualified, String startAfter) {}

    private record Asked(Place place, CompletionStage<Reply.Page> page) {}

    Tree(SharedClients.Use use, FsPath path, Path qualified, Statuses statuses) throws IOException {
        this.use = use;
        this.statuses = statuses;
        Attributes top = Failures.await(use.client().stat(path), path.toString());
        this.children = new Children(top.isDirectory() ? qualified : qualified.getParent());
        this.page = top.isDirectory()
                ? List.<Attributes>of().iterator()
                : List.of(top).iterator();
        if (top.isDirectory()) {
            ahead.push(new Place(path, qualified, ""));
            ask();
            take();
        }
    }

    private void ask() throws IOException {
        while (asked.size() < PAGES_AHEAD && !ahead.isEmpty()) {
            Place place = ahead.pop();
            asked.add(new Asked(place, use.client().list(place.path(), place.startAfter(), PAGE)));
        }
    }

    /** Waits for the page requested first. */
    private void take() throws IOException {
        Asked first = asked.remove();
        Place place = first.place();
        Reply.Page found = Failures.await(first.page(), place.path().toString());
        List<Attributes> entries = found.entries();
        children = new Children(place.qualified());
        page = entries.iterator();
        if (found.more() && !entries.isEmpty()) {
            String last = entries.get(entries.size() - 1).name();
            ahead.push(new Place(place.path(), place.qualified(), last));
        }
        for (Attributes entry : entries) {
            if (entry.isDirectory()) {
                ahead.push(new Place(place.path().child(entry.name()), children.path(entry.name()), ""));
            }
        }
        ask();
    }

    @Override
    public boolean hasNext() throws IOException {
        use.checkOpen();
        while (!page.hasNext() && !asked.isEmpty()) {
            take();
        }
        return page.hasNext();
    }

    @Override
    public FileStatus next() throws IOException {
        if (!hasNext()) {
            throw new NoSuchElementException("no more entries");
        }
        Attributes entry = page.next();
        return statuses.of(entry, children.path(entry.name()));
    }
}
