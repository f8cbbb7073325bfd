package io.lambdafs.hadoop;

import io.lambdafs.client.Lister;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Requests the first pages of directories before they are listed, for programs that walk a tree one directory after the
 * other, as Hadoop's shell does: for each directory on the way down, those of some of its children. The pages kept are
 * bounded, however wide and deep the tree is. A page may be as old as the listing of its parent. Thread-safe; of use to
 * one thread.
 */
final class ListingsAhead {
    static final int OF_A_DIRECTORY = 16;
    static final int IN_ALL = 64;
    private static final int MOST_WAITING = 2 * Listing.PAGE;

    private final Function<FsPath, Begun> begin;
    /** From the directory that is listed now up to the first one. */
    private final Deque<Level> levels = new ArrayDeque<>();

    private int pages;

    /**
     * A listing that has begun.
     *
     * @param first its first page
     */
    record Begun(Lister lister, CompletionStage<List<Attributes>> first) {}

    /** The children of a directory that have been seen, and not listed. */
    private static final class Level {
        final FsPath directory;
        final Set<FsPath> waiting = new LinkedHashSet<>();
        final Map<FsPath, Begun> begun = new HashMap<>();

        Level(FsPath directory) {
            this.directory = directory;
        }
    }

    ListingsAhead(Function<FsPath, Begun> begin) {
        this.begin = begin;
    }

    /** A directory is listed: the listing that has begun of it; null if none has. */
    synchronized @Nullable Begun take(FsPath directory) {
        Level level = directory.isRoot() ? null : levelOf(directory.parent());
        if (level == null) {
            return null;
        }
        level.waiting.remove(directory);
        Begun begun = level.begun.remove(directory);
        pages -= begun == null ? 0 : 1;
        beginMore(level);
        return begun;
    }

    /** A listing has shown a child that is a directory. */
    synchronized void seen(FsPath directory, FsPath child) {
        Level level = levelOf(directory);
        if (level == null) {
            level = new Level(directory);
            levels.push(level);
        }
        if (level.waiting.size() < MOST_WAITING) {
            level.waiting.add(child);
            beginMore(level);
        }
    }

    /** Forgets everything that is not above a directory: a program that continues there has left it behind. */
    private @Nullable Level levelOf(FsPath directory) {
        while (!levels.isEmpty() && !directory.isAtOrBelow(levels.getFirst().directory)) {
            pages -= levels.pop().begun.size();
        }
        return !levels.isEmpty() && levels.getFirst().directory.equals(directory) ? levels.getFirst() : null;
    }

    private void beginMore(Level level) {
        Iterator<FsPath> next = level.waiting.iterator();
        while (level.begun.size() < OF_A_DIRECTORY && pages < IN_ALL && next.hasNext()) {
            FsPath child = next.next();
            next.remove();
            level.begun.put(child, begin.apply(child));
            pages++;
        }
    }
}
