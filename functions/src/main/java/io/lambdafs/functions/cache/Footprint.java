package io.lambdafs.functions.cache;

import io.lambdafs.model.INode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How much heap a cached item takes, in bytes: object layouts of a 64-bit JVM with compressed references, which a heap of up to
 * 32 GiB has. Larger heaps take about 1.4 times as much.
 */
final class Footprint {
    /** A trie node: header, name, parent, inode, content, below, two ring links, cost, what is counted, used. */
    private static final int NODE = 56;
    /** What a directory's node adds: header, id, listing, table and its counts, used. */
    private static final int BELOW = 40;
    /** An INode without its name; its owner and group are shared with others: header, nine longs, two ints, five references. */
    static final int INODE = 112;

    private static final int ARRAY = 16;
    private static final int REFERENCE = 4;

    private Footprint() {}

    static long node(TrieNode node) {
        long bytes = NODE + string(node.name());
        INode inode = node.inode();
        if (inode != null) {
            bytes += INODE + (sameObject(inode.name(), node.name()) ? 0 : string(inode.name()));
        }
        byte[] content = node.content();
        if (content != null) {
            bytes += aligned(ARRAY + (long) content.length);
        }
        Below below = node.below();
        if (below != null) {
            Listing listing = below.listing();
            bytes +=
                    BELOW + aligned(ARRAY + (long) below.slots() * REFERENCE) + (listing == null ? 0 : listing.bytes());
        }
        return bytes;
    }

    /** A listing's own objects. */
    static long listing(int size) {
        return 32 + aligned(ARRAY + (long) size * REFERENCE);
    }

    static long string(String text) {
        int bytesPerChar = 1;
        for (int i = 0; i < text.length() && bytesPerChar == 1; i++) {
            bytesPerChar = text.charAt(i) < 256 ? 1 : 2;
        }
        return 24 + aligned(ARRAY + (long) text.length() * bytesPerChar);
    }

    /** Most that a fill adds. */
    static long of(Fill fill) {
        if (fill instanceof Fill.Children children) {
            return children.listing().bytes() + BELOW + ARRAY;
        }
        byte[] content = fill instanceof Fill.Entry entry ? entry.content() : null;
        return NODE
                + 8 * REFERENCE
                + INODE
                + string(fill.path().name())
                + (content == null ? 0 : ARRAY + 8 + content.length);
    }

    /** The INode with its owner's and group's names replaced by equal ones of the map, which grows up to the limit. */
    static INode share(INode node, Map<String, String> shared, int limit) {
        String owner = shared(node.owner(), shared, limit);
        String group = shared(node.group(), shared, limit);
        return sameObject(owner, node.owner()) && sameObject(group, node.group()) ? node : node.withOwner(owner, group);
    }

    private static String shared(String text, Map<String, String> shared, int limit) {
        String known = shared.get(text);
        if (known == null && shared.size() < limit) {
            shared.put(text, text);
        }
        return known == null ? text : known;
    }

    private static long aligned(long bytes) {
        return (bytes + 7) & ~7L;
    }

    /** Whether two references share their memory; equality would not tell. */
    @SuppressWarnings({"ReferenceEquality", "StringEquality"})
    private static boolean sameObject(@Nullable Object a, @Nullable Object b) {
        return a == b;
    }
}
