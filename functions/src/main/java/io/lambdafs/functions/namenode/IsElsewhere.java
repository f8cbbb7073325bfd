package io.lambdafs.functions.namenode;

/** Signals that a writer's file is no longer at its original path. Internal to the NameNode. */
final class IsElsewhere extends Detour {
    private static final long serialVersionUID = 1L;

    IsElsewhere() {
        super("moved, or gone");
    }
}
