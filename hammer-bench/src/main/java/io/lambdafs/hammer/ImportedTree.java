package io.lambdafs.hammer;

import io.lambdafs.model.FsPath;
import java.util.List;

/**
 * What an import put under its target: the start of the model that a replay checks answers against. Immutable.
 */
public final class ImportedTree {
    private final FsPath target;
    private final List<Entry> entries;

    ImportedTree(FsPath target, List<Entry> entries) {
        this.target = target;
        this.entries = List.copyOf(entries);
    }

    /** The directory that everything lies under. */
    public FsPath target() {
        return target;
    }

    /** Files and directories, the target not counted. */
    public int size() {
        return entries.size();
    }

    List<Entry> entries() {
        return entries;
    }

    /**
     * One file or directory.
     *
     * @param parent index of the parent's entry, which comes earlier; -1 for a child of the target
     * @param size bytes; 0 for a directory
     * @param mtime milliseconds since 1970; of a directory it is not kept
     * @param content what became of a file's bytes
     * @param checksum of the content, where it is kept
     */
    record Entry(int parent, String name, Type type, int mode, long size, long mtime, boolean content, long checksum) {
        boolean isDirectory() {
            return type == Type.DIRECTORY;
        }
    }

    /** What an entry is. */
    enum Type {
        FILE,
        DIRECTORY
    }
}
