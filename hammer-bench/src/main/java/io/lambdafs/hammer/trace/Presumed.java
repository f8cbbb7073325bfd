package io.lambdafs.hammer.trace;

import io.lambdafs.model.FsPath;
import java.io.IOException;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The files and directories that must have existed before a trace began: whatever it reads, lists, removes or moves
 * without having created it, and the directories that it moves things to. A path that is only looked up, and created
 * later, is not presumed: programs check whether a name is free. Used by one thread.
 */
public final class Presumed implements AutoCloseable {
    /** A file or directory that must exist. */
    public record Entry(FsPath path, boolean isDirectory) {}

    private final TraceScan scan;
    private final TraceReader reader;
    private final PathSet known = new PathSet();
    /** Created by the trace, up to the record read last. */
    private final PathSet made = new PathSet();
    /** Those of them that are destinations of moves; everything below counts too. */
    private final PathSet moved = new PathSet();

    private final ArrayDeque<Entry> found = new ArrayDeque<>();

    /** @param scan of the same trace, with its paths noted */
    public Presumed(TraceScan scan) throws IOException {
        this.scan = scan;
        this.reader = scan.trace().open();
    }

    /** Finds the next entry; null after the last. */
    public @Nullable Entry next() throws IOException {
        while (found.isEmpty()) {
            TraceRecord record = reader.next();
            if (record == null) {
                return null;
            }
            see(record);
        }
        return found.poll();
    }

    private void see(TraceRecord record) {
        FsPath path = record.path();
        switch (record.kind()) {
            case STAT -> {
                if (!scan.isMade(path)) {
                    want(path, scan.isDirectory(path));
                }
            }
            case READ, LS, DELETE, MV -> want(path, scan.isDirectory(path));
            case CREATE, MKDIRS -> made.add(path);
        }
        FsPath destination = record.destination();
        if (destination != null) {
            want(destination.parent(), true);
            made.add(destination);
            moved.add(destination);
        }
    }

    private void want(FsPath path, boolean directory) {
        if (path.isRoot() || made.contains(path) || wasMoved(path)) {
            return;
        }
        if (known.add(path)) {
            found.add(new Entry(path, directory));
        }
    }

    private boolean wasMoved(FsPath path) {
        for (int depth = path.depth(); moved.size() > 0 && depth > 0; depth--) {
            if (moved.contains(path.ancestor(depth))) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
