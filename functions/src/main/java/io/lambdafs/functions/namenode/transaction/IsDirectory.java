package io.lambdafs.functions.namenode.transaction;

/**
 * Signals that the path is a directory, so the operation continues as a subtree operation. Internal to the NameNode.
 */
public final class IsDirectory extends Detour {
    private static final long serialVersionUID = 1L;

    public IsDirectory() {
        super("a directory");
    }
}
