package io.lambdafs.hammer;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.INode;

/** A file of the model. */
final class ModelFile extends ModelNode {
    /** A time that the model does not know. */
    static final long ANY_TIME = -1;

    /** What is known of a file's bytes: their number, last change, and whether and which content there is. */
    record Body(long size, long mtime, INode.Content content, long checksum) {
        static Body inline(long size, long mtime, long checksum) {
            return new Body(size, mtime, size == 0 ? INode.Content.NONE : INode.Content.INLINE, checksum);
        }

        static Body absent(long size, long mtime) {
            return new Body(size, mtime, INode.Content.ABSENT, 0);
        }
    }

    final Body body;
    /** Place in its directory's list of files, and among the files of that list that can be read; -1 outside. */
    int fileIndex = -1;

    int readableIndex = -1;

    ModelFile(ModelDirectory parent, String name, int mode, Body body) {
        super(parent, name, mode);
        this.body = body;
    }

    /** Whether its content can be read and checked, by its owner too. */
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
