package io.lambdafs.hadoop;

import io.lambdafs.hadoop.convert.Failures;
import io.lambdafs.hadoop.convert.Statuses;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.operation.Reply;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * Iterates over everything below a directory, or a file itself, in no particular order. Requests the pages of many
 * directories by one message to each deployment that owns some of them, depth first, so that few directories are
 * remembered. The first page is fetched at once, so that a missing directory is noticed before the first entry is
 * requested. Not a snapshot. Not thread-safe.
 */
final class Tree implements RemoteIterator<FileStatus> {
    private static final int MESSAGES_AHEAD = 3;
    /** Maximum number of directories requested at once, and of entries that they have in all. */
    private static final int DIRECTORIES = 64;

    private static final int ENTRIES = 4_000;
    private static final int PAGE = 1_000;

    private final SharedClients.Use use;
    private final Statuses statuses;
    private final Deque<Place> ahead = new ArrayDeque<>();
    private final Queue<Asked> asked = new ArrayDeque<>();
    private final Queue<Found> found = new ArrayDeque<>();
    private Children children;
    private Iterator<Attributes> page;

    /** The start of a directory's next page. */
    private record Place(FsPath path, Path qualified, String startAfter) {}

    /** The requested pages of some directories, by their paths. */
    private record Asked(List<Place> places, CompletionStage<Map<FsPath, Reply>> outcomes) {}

    /** A page, or why there is none. */
    private record Found(Place place, Reply outcome) {}

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
        while (asked.size() < MESSAGES_AHEAD && !ahead.isEmpty()) {
            Place first = ahead.peek();
            asked.add(first.startAfter().isEmpty() ? askEach() : askNext(ahead.pop()));
        }
    }

    private Asked askNext(Place place) throws IOException {
        return new Asked(
                List.of(place),
                use.client()
                        .list(place.path(), place.startAfter(), PAGE)
                        .handle((page, thrown) ->
                                Map.of(place.path(), thrown == null ? page : Reply.Failure.of(thrown))));
    }

    /** Requests the first pages of the next directories. */
    private Asked askEach() throws IOException {
        List<Place> places = new ArrayList<>();
        while (places.size() < DIRECTORIES
                && !ahead.isEmpty()
                && ahead.peek().startAfter().isEmpty()) {
            places.add(ahead.pop());
        }
        List<FsPath> paths = places.stream().map(Place::path).toList();
        return new Asked(places, use.client().listEach(paths, ENTRIES));
    }

    /** Waits for the pages requested first, and requests those of the directories that they show. */
    private void collect() throws IOException {
        Asked first = asked.remove();
        Map<FsPath, Reply> outcomes =
                Failures.await(first.outcomes(), first.places().get(0).path().toString());
        for (Place place : first.places()) {
            Reply outcome = outcomes.get(place.path());
            if (outcome == null) {
                ahead.push(place);
            } else {
                found.add(new Found(place, outcome));
                if (outcome instanceof Reply.Page each) {
                    seen(place, each);
                }
            }
        }
        ask();
    }

    private void seen(Place place, Reply.Page shown) {
        List<Attributes> entries = shown.entries();
        if (shown.more() && !entries.isEmpty()) {
            String last = entries.get(entries.size() - 1).name();
            ahead.push(new Place(place.path(), place.qualified(), last));
        }
        Children below = new Children(place.qualified());
        for (Attributes entry : entries) {
            if (entry.isDirectory()) {
                ahead.push(new Place(place.path().child(entry.name()), below.path(entry.name()), ""));
            }
        }
    }

    /** Takes the next page. */
    private void take() throws IOException {
        if (found.isEmpty()) {
            collect();
        }
        Found next = found.poll();
        if (next != null) {
            Place place = next.place();
            if (next.outcome() instanceof Reply.Failure failure) {
                throw Failures.of(failure.toException(), place.path().toString());
            }
            children = new Children(place.qualified());
            page = ((Reply.Page) next.outcome()).entries().iterator();
        }
    }

    @Override
    public boolean hasNext() throws IOException {
        use.checkOpen();
        while (!page.hasNext() && !(found.isEmpty() && asked.isEmpty())) {
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
