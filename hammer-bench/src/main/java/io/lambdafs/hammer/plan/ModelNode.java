package io.lambdafs.hammer.plan;

import org.jspecify.annotations.Nullable;

/**
 * A file or directory that the replay assumes to exist, with the holds of operations in flight on it: readers, at most
 * one writer, and a count of operations that use anything below it. A writer excludes every other use at or below the
 * node, so the expected answer of an operation never depends on another one in flight. Confined to the replay's thread.
 */
abstract sealed class ModelNode permits ModelFile, ModelDirectory {
    /** Null for the root of the replay's namespace, and for deleted nodes. */
    @Nullable
    ModelDirectory parent;

    String name;
    final int mode;
    private int readers;
    private int below;
    private boolean writer;

    ModelNode(@Nullable ModelDirectory parent, String name, int mode) {
        this.parent = parent;
        this.name = name;
        this.mode = mode;
    }

    boolean tryRead() {
        if (!isReachable()) {
            return false;
        }
        readers++;
        enterAncestors(1);
        return true;
    }

    void releaseRead() {
        readers--;
        enterAncestors(-1);
    }

    boolean tryWrite() {
        if (readers > 0 || below > 0 || !isReachable()) {
            return false;
        }
        writer = true;
        enterAncestors(1);
        return true;
    }

    void releaseWrite() {
        writer = false;
        enterAncestors(-1);
    }

    /** Holds the path to this directory, for an operation on a name in it that is not a node. */
    boolean tryEnter() {
        if (!isReachable()) {
            return false;
        }
        below++;
        enterAncestors(1);
        return true;
    }

    void releaseEnter() {
        below--;
        enterAncestors(-1);
    }

    /** Returns whether neither it nor any ancestor is being moved, removed or in an unknown state. */
    private boolean isReachable() {
        for (ModelNode node = this; node != null; node = node.parent) {
            if (node.writer) {
                return false;
            }
        }
        return true;
    }

    private void enterAncestors(int by) {
        for (ModelDirectory node = parent; node != null; node = node.parent) {
            ((ModelNode) node).below += by;
        }
    }
}
