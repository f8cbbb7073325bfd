package io.lambdafs.functions.namenode.transaction;

/** Signals that a writer's file is no longer at its original path. Internal to the NameNode. */
public final class IsElsewhere extends Detour {
    private static final long serialVersionUID = 1L;

    public IsElsewhere() {
        super("moved, or gone");
    }
}
