package io.lambdafs.functions.cache;

import io.lambdafs.model.INode;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A directory's children in order of their names' UTF-8 bytes: all of them, or, once the set has changed, those that are still as they
 * were read. Immutable.
 */
public final class Listing {
    private final INode[] nodes;
    private final long bytes;
    private final boolean publishable;
    private final boolean complete;

    private Listing(INode[] nodes) {
        this.nodes = nodes;
        this.complete = true;
        long sum = Footprint.listing(nodes.length);
        boolean sound = true;
        for (int i = 0; i < nodes.length; i++) {
            INode node = nodes[i];
            sum += Footprint.INODE + Footprint.string(node.name());
            sound &= !node.isFlagged() && node.parentId() == nodes[0].parentId();
            sound &= i == 0 || compareNames(nodes[i - 1].name(), node.name()) < 0;
        }
        this.bytes = sum;
        this.publishable = sound;
    }

    /** What is left of a complete one. */
    private Listing(INode[] nodes, long bytes) {
        this.nodes = nodes;
        this.bytes = bytes;
        this.publishable = false;
        this.complete = false;
    }

    /** A complete listing of children in any order; equal owners and groups come to share one string. */
    public static Listing of(List<INode> children) {
        Map<String, String> shared = new HashMap<>();
        INode[] nodes = new INode[children.size()];
        boolean sorted = true;
        for (int i = 0; i < nodes.length; i++) {
            INode node = children.get(i);
            nodes[i] = Footprint.share(node, shared, nodes.length);
            sorted &= i == 0 || compareNames(nodes[i - 1].name(), node.name()) < 0;
        }
        if (!sorted) {
            Arrays.sort(nodes, (a, b) -> compareNames(a.name(), b.name()));
        }
        return new Listing(nodes);
    }

    /** Whether it names every child: only then it answers a listing, and says of a name that it is absent. */
    public boolean isComplete() {
        return complete;
    }

    /** What still stands when children come to the directory, or ones go that it does not name. */
    Listing incomplete() {
        return complete ? new Listing(nodes, bytes) : this;
    }

    /** What still stands when this child changes or goes. */
    Listing without(String name) {
        int at = search(name);
        if (at < 0) {
            return incomplete();
        }
        INode[] others = new INode[nodes.length - 1];
        System.arraycopy(nodes, 0, others, 0, at);
        System.arraycopy(nodes, at + 1, others, at, others.length - at);
        long freed = Footprint.INODE + Footprint.string(nodes[at].name());
        return new Listing(others, bytes - freed - Footprint.listing(nodes.length) + Footprint.listing(others.length));
    }

    public int size() {
        return nodes.length;
    }

    /** The i-th child, 0-based. */
    public INode get(int i) {
        return nodes[i];
    }

    /** The index of the first child whose name comes after the given one; {@link #size()} if none does. */
    public int indexAfter(String name) {
        int at = search(name);
        return at >= 0 ? at + 1 : -at - 1;
    }

    public @Nullable INode find(String name) {
        int at = search(name);
        return at >= 0 ? nodes[at] : null;
    }

    private int search(String name) {
        int low = 0;
        int high = nodes.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = compareNames(nodes[middle].name(), name);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -low - 1;
    }

    /** Estimated memory. */
    long bytes() {
        return bytes;
    }

    /** Whether it may be cached as the children of a directory: no flagged child, no name twice, all of that parent. */
    boolean isPublishableUnder(long parentId) {
        return publishable && (nodes.length == 0 || nodes[0].parentId() == parentId);
    }

    /** The order of two names' UTF-8 bytes, which is that of their code points; UTF-16 differs where surrogates meet U+E000.. */
    static int compareNames(String a, String b) {
        int length = Math.min(a.length(), b.length());
        for (int i = 0; i < length; i++) {
            char x = a.charAt(i);
            char y = b.charAt(i);
            if (x != y) {
                return rank(x) - rank(y);
            }
        }
        return a.length() - b.length();
    }

    private static int rank(char c) {
        if (c < Character.MIN_SURROGATE) {
            return c;
        }
        return c <= Character.MAX_SURROGATE ? c + 0x2000 : c - 0x800;
    }
}
