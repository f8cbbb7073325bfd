package io.lambdafs.hammer.plan;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.INode;

/** A file of the model. */
final class ModelFile extends ModelNode {
    /** An unknown modification time. */
    static final long ANY_TIME = -1;

    /** The known facts about a file's bytes: their number, last change, and whether and which content there is. */
    record Body(long size, long mtime, INode.Content content, long checksum) {
        static Body inline(long size, long mtime, long checksum) {
            return new Body(size, mtime, size == 0 ? INode.Content.NONE : INode.Content.INLINE, checksum);
        }

        static Body absent(long size, long mtime) {
            return new Body(size, mtime, INode.Content.ABSENT, 0);
        }
    }

    final Body body;
    /** Index in its directory's list of files, and in its list of readable files; -1 if not in the list. */
    int fileIndex = -1;

    int readableIndex = -1;

    ModelFile(ModelDirectory parent, String name, int mode, Body body) {
        super(parent, name, mode);
        this.body = body;
    }

    /** Returns whether its owner can read its content, so that it can be checked. */
    boolean isReadable() {
        return body.content != INode.Content.ABSENT && (mode & 0400) != 0;
    }

    FsPath path() {
        ModelDirectory directory = parent;
        if (directory == null) {
            throw new IllegalStateException("a file outside the tree has no path: " + name);
        }
        return directory.path().child(name);
    }
}
