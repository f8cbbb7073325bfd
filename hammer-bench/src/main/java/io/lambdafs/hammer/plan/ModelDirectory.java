package io.lambdafs.hammer.plan;

import io.lambdafs.model.FsPath;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A directory of the model: its settled children, the names that operations in flight (or with an unknown outcome) are
 * changing, and when each name last changed. This makes the expectation of a concurrent listing exact: a name that did
 * not change while the listing ran must be right; one in flux may be either way.
 */
final class ModelDirectory extends ModelNode {
    /** Maximum number of names known not to exist, kept for probes; the oldest is dropped first. */
    private static final int MAX_GHOSTS = 16;

    /** A name that was deleted or moved away. */
    static final class Ghost {
        final String name;
        int readers;

        Ghost(String name) {
            this.name = name;
        }
    }

    /** The state of a directory's names when an operation on it began. */
    record Mark(long change, long settled) {}

    private final Map<String, ModelNode> children = new HashMap<>();
    private final List<ModelFile> files = new ArrayList<>();
    private final List<ModelFile> readable = new ArrayList<>();
    private final Set<String> influx = new HashSet<>();
    private final Map<String, Long> changedAt = new HashMap<>();
    private final ArrayDeque<Ghost> ghosts = new ArrayDeque<>();
    private long settled;
    private int directories;
    private @Nullable FsPath path;
    private long pathVersion = -1;
    private final Clock clock;

    /**
     * Counts changes of the model: {@code change} counts all settled ones, {@code move} those of directories' paths.
     */
    static final class Clock {
        long change;
        long move;
    }

    /** Creates the root of a model. */
    ModelDirectory(FsPath path, Clock clock) {
        super(null, path.name(), 0755);
        this.path = path;
        this.clock = clock;
    }

    ModelDirectory(ModelDirectory parent, String name, int mode) {
        super(parent, name, mode);
        this.clock = parent.clock;
    }

    FsPath path() {
        FsPath known = path;
        ModelDirectory above = parent;
        if (known != null && (above == null || pathVersion == clock.move)) {
            return known;
        }
        if (above == null) {
            throw new IllegalStateException("a directory outside the tree has no path: " + name);
        }
        FsPath now = above.path().child(name);
        path = now;
        pathVersion = clock.move;
        return now;
    }

    /** Invalidates the cached paths of this directory and of everything below it. */
    void moved() {
        clock.move++;
    }

    Map<String, ModelNode> children() {
        return children;
    }

    List<ModelFile> files() {
        return files;
    }

    List<ModelFile> readable() {
        return readable;
    }

    boolean hasDirectories() {
        return directories > 0;
    }

    /** Returns whether its owner may create and remove names in it. */
    boolean isWritable() {
        return (mode & 0300) == 0300;
    }

    void begin(String childName) {
        influx.add(childName);
    }

    /** Ends an operation on a name, with a known outcome. */
    void settle(String childName) {
        influx.remove(childName);
        changedAt.put(childName, ++clock.change);
        settled++;
    }

    /** Returns whether it has or had a child of this name, or an operation in flight gives it one. */
    boolean hasKnown(String childName) {
        return children.containsKey(childName) || influx.contains(childName) || changedAt.containsKey(childName);
    }

    Mark mark() {
        return new Mark(clock.change, settled);
    }

    /** Returns whether a name may have changed since the mark. */
    boolean fluid(String childName, Mark since) {
        return influx.contains(childName) || changedAt.getOrDefault(childName, -1L) > since.change;
    }

    /** Returns the maximum number of names that may have changed since the mark. */
    long fluidNames(Mark since) {
        return influx.size() + settled - since.settled;
    }

    void add(ModelNode child) {
        child.parent = this;
        children.put(child.name, child);
        if (child instanceof ModelFile file) {
            file.fileIndex = files.size();
            files.add(file);
            if (file.isReadable()) {
                file.readableIndex = readable.size();
                readable.add(file);
            }
        } else {
            directories++;
        }
    }

    void remove(ModelNode child) {
        children.remove(child.name);
        child.parent = null;
        if (child instanceof ModelFile file) {
            ModelFile last = files.remove(files.size() - 1);
            if (last != file) {
                files.set(file.fileIndex, last);
                last.fileIndex = file.fileIndex;
            }
            file.fileIndex = -1;
            if (file.readableIndex >= 0) {
                ModelFile lastReadable = readable.remove(readable.size() - 1);
                if (lastReadable != file) {
                    readable.set(file.readableIndex, lastReadable);
                    lastReadable.readableIndex = file.readableIndex;
                }
                file.readableIndex = -1;
            }
        } else {
            directories--;
        }
    }

    /** Remembers that a name is gone. */
    void haunt(String childName) {
        if (ghosts.size() == MAX_GHOSTS) {
            ghosts.removeFirst();
        }
        ghosts.add(new Ghost(childName));
    }

    @Nullable
    Ghost ghost() {
        return ghosts.peekLast();
    }

    /** Takes a deleted name that no operation in flight reads, to create it again. */
    @Nullable
    Ghost exorcise() {
        Ghost oldest = ghosts.peekFirst();
        if (oldest == null || oldest.readers > 0) {
            return null;
        }
        return ghosts.removeFirst();
    }
}
