package io.lambdafs.functions.cache;

import io.lambdafs.model.inode.INode;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Builds the bytes of a {@link Listing} with changed children from those of the one before, in one pass. */
final class ListingMerge {
    private final byte[] from;
    private final int[] fromStarts;
    private byte[] packed;
    private int[] starts;
    private INode.Traits[] traits;
    /** How many bytes and children have been written, and how many children have been read. */
    private int bytes;

    private int children;
    private int at;
    private long parentId;
    private boolean sound = true;

    ListingMerge(byte[] from, int[] fromStarts, INode.Traits[] traits) {
        this.from = from;
        this.fromStarts = fromStarts;
        this.traits = traits;
        this.packed = new byte[from.length];
        this.starts = new int[fromStarts.length];
    }

    /**
     * Changes the next child, in the order of their names.
     *
     * @param found the child's index, or a negative value as {@link Arrays#binarySearch} does
     * @param node null to remove it
     */
    void change(int found, @Nullable INode node) {
        boolean there = found >= 0;
        copyUpTo(there ? found : -found - 1);
        at += there ? 1 : 0;
        if (node == null) {
            return;
        }
        sound &= !node.isFlagged() && (parentId == 0 || parentId == node.parentId());
        parentId = node.parentId();
        byte[] child = INodeEncoding.of(node, number(node.traits()));
        grow(child.length, 1);
        System.arraycopy(child, 0, packed, bytes, child.length);
        starts[children++] = bytes;
        bytes += child.length;
    }

    /** Ends the changes. */
    void end() {
        copyUpTo(fromStarts.length);
        packed = Arrays.copyOf(packed, bytes);
        starts = Arrays.copyOf(starts, children);
    }

    private void copyUpTo(int end) {
        int first = offset(at);
        int length = offset(end) - first;
        grow(length, end - at);
        System.arraycopy(from, first, packed, bytes, length);
        for (; at < end; at++) {
            starts[children++] = fromStarts[at] - first + bytes;
        }
        bytes += length;
    }

    private int offset(int child) {
        return child == fromStarts.length ? from.length : fromStarts[child];
    }

    private void grow(int moreBytes, int moreChildren) {
        if (bytes + moreBytes > packed.length) {
            packed = Arrays.copyOf(packed, Math.addExact(bytes + moreBytes, packed.length / 8));
        }
        if (children + moreChildren > starts.length) {
            starts = Arrays.copyOf(starts, children + moreChildren + starts.length / 8);
        }
    }

    private int number(INode.Traits wanted) {
        int known = Arrays.asList(traits).indexOf(wanted);
        if (known < 0) {
            known = traits.length;
            traits = Arrays.copyOf(traits, known + 1);
            traits[known] = wanted;
        }
        return known;
    }

    byte[] packed() {
        return packed;
    }

    int[] starts() {
        return starts;
    }

    INode.Traits[] traits() {
        return traits;
    }

    /** Returns the parent of the children added; 0 if none was. */
    long parentId() {
        return parentId;
    }

    /** Returns whether every child added may be cached in the listing of this directory. */
    boolean isSoundUnder(long directoryId) {
        return sound && (parentId == 0 || parentId == directoryId);
    }
}
