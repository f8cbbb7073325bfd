package io.lambdafs.functions.namenode;

/** The path is a directory's, not a file's: the operation goes on as a subtree operation. Never leaves the NameNode. */
public final class IsDirectory extends RuntimeException {
    private static final long serialVersionUID = 1L;

    IsDirectory() {
        super("a directory", null, false, false);
    }
}
