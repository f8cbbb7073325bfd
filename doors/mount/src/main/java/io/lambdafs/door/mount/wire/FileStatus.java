package io.lambdafs.door.mount.wire;

/**
 * The attributes of a file or directory, as {@code stat} returns them. Immutable.
 *
 * @param node the kernel's number, which programs see as the INode's
 * @param mode permission bits, and the type
 * @param links names; 0 for a deleted file that is open, and 1 for a directory, whose subdirectories are not counted
 */
public record FileStatus(
        long node, long size, long atimeMillis, long mtimeMillis, int mode, int links, int uid, int gid) {
    /** Type of a directory, in the mode. */
    public static final int DIRECTORY = 0040000;
    /** Type of a file, in the mode. */
    public static final int FILE = 0100000;
    /** Type of a symbolic link, in the mode. */
    public static final int LINK = 0120000;
    /** The bits of the type. */
    public static final int TYPE = 0170000;

    /** Returns the type as directory entries have it. */
    public int entryType() {
        return (mode & TYPE) >> 12;
    }
}
