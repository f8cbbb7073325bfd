package io.lambdafs.functions.namenode.transaction;

import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.INode;
import org.jspecify.annotations.Nullable;

/**
 * Signals that a resolution is no longer valid and must be repeated from the root, after the subtree operation met has
 * ended. Internal to the NameNode.
 */
public final class Restart extends Detour {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial")
    private final transient @Nullable INode flagged;

    private final boolean isChange;

    @SuppressWarnings("serial")
    private final transient @Nullable FsPath moved;

    private Restart(String why, @Nullable INode flagged, boolean isChange) {
        super(why);
        this.flagged = flagged;
        this.isChange = isChange;
        this.moved = null;
    }

    private Restart(FsPath moved) {
        super("the file moved to \"" + moved + "\"");
        this.flagged = null;
        this.isChange = false;
        this.moved = moved;
    }

    /** Returns a restart because a row changed between resolution and lock. */
    public static Restart changed(String what) {
        return new Restart(what + " changed while it was being locked", null, true);
    }

    /** Returns a restart because a subtree operation holds the INode. */
    public static Restart flagged(INode node) {
        return new Restart("a subtree operation holds \"" + node.name() + "\"", node, false);
    }

    /** Returns a restart because the operation's file, known by id, is at another path. */
    public static Restart moved(FsPath to) {
        return new Restart(to);
    }

    /** Returns whether an operation failed because its resolution no longer holds, with nothing to wait for. */
    public static boolean isChange(Throwable error) {
        return FsException.unwrap(error) instanceof Restart restart && restart.isChange;
    }

    /** Returns the path to restart at; null for the same path. */
    public @Nullable FsPath moved() {
        return moved;
    }

    /** Returns the INode to wait for; null to wait briefly. */
    public @Nullable INode flagged() {
        return flagged;
    }
}
