package io.lambdafs.functions.namenode.transaction;

/**
 * A plan's decision to do nothing at this place: the operation begins again, goes on as a subtree operation, or looks
 * for its file elsewhere. Thrown, because the checks that find it lie deep within a decision; without a stack trace,
 * because it is no fault. Internal to the NameNode.
 */
public abstract sealed class Detour extends RuntimeException permits Restart, IsDirectory, IsElsewhere {
    private static final long serialVersionUID = 1L;

    Detour(String why) {
        super(why, null, false, false);
    }
}
