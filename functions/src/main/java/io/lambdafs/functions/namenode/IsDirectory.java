package io.lambdafs.functions.namenode;

/** What was taken for a file is a directory: the operation is a subtree operation. Never leaves the NameNode. */
public final class IsDirectory extends RuntimeException {
    private static final long serialVersionUID = 1L;

    IsDirectory() {
        super("a directory", null, false, false);
    }
}
