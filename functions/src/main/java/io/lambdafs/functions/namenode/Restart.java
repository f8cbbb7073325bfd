package io.lambdafs.functions.namenode;

import io.lambdafs.model.INode;
import org.jspecify.annotations.Nullable;

/**
 * What was resolved no longer stands: resolve again from the root, after the subtree operation that was met has ended. Never leaves
 * the NameNode.
 */
public final class Restart extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial")
    private final transient @Nullable INode flagged;

    private final boolean isChange;

    private Restart(String why, @Nullable INode flagged, boolean isChange) {
        super(why, null, false, false);
        this.flagged = flagged;
        this.isChange = isChange;
    }

    /** A row changed between resolution and lock. */
    public static Restart changed(String what) {
        return new Restart(what + " changed while it was being locked", null, true);
    }

    /** A subtree operation holds the INode. */
    public static Restart flagged(INode node) {
        return new Restart("a subtree operation holds \"" + node.name() + "\"", node, false);
    }

    /** Another subtree operation overlaps; none of the INodes met says so. */
    public static Restart overlapping() {
        return new Restart("a subtree operation overlaps", null, false);
    }

    /** Whether an operation failed because what it resolved is not so, with nothing to wait for. */
    static boolean isChange(Throwable error) {
        return StoreReads.unwrap(error) instanceof Restart restart && restart.isChange;
    }

    /** The INode to wait for; null to just wait a little. */
    public @Nullable INode flagged() {
        return flagged;
    }
}
