package io.lambdafs.hammer.tree;

import io.lambdafs.model.FsPath;
import java.util.List;

/**
 * The files and directories that an import created under its target: the initial model that a replay checks answers
 * against. Immutable.
 */
public final class ImportedTree {
    private final FsPath target;
    private final List<Entry> entries;

    public ImportedTree(FsPath target, List<Entry> entries) {
        this.target = target;
        this.entries = List.copyOf(entries);
    }

    /** Returns the directory that contains everything. */
    public FsPath target() {
        return target;
    }

    /** Returns the number of files and directories, without the target. */
    public int size() {
        return entries.size();
    }

    public List<Entry> entries() {
        return entries;
    }

    /**
     * One file or directory.
     *
     * @param parent index of the parent's entry, which comes earlier; -1 for a child of the target
     * @param size bytes; 0 for a directory
     * @param mtime milliseconds since 1970; not kept for a directory
     * @param content whether the file's bytes were imported with it
     * @param checksum of the content, if it was imported
     */
    public record Entry(
            int parent, String name, Type type, int mode, long size, long mtime, boolean content, long checksum) {
        public boolean isDirectory() {
            return type == Type.DIRECTORY;
        }
    }

    /** The kind of an entry. */
    public enum Type {
        FILE,
        DIRECTORY
    }
}
