package io.lambdafs.functions.cache;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Acl;
import io.lambdafs.model.inode.AclEntry;
import io.lambdafs.model.inode.INode;
import org.jspecify.annotations.Nullable;

/**
 * Estimates the heap size of cached items in bytes, from object layouts of a 64-bit JVM with compressed references
 * (heaps up to 32 GiB) and actual array lengths. Accurate within 5 % of the heap left by a full collection, as {@code
 * EvictionTest} measures. With the 8-byte references of larger heaps, rows and listings take at most a tenth more,
 * directories 1.4 times as much.
 */
final class Footprint {
    /** A trie node: header, name, parent, inode, content, below, two ring links, cost, what is counted, used. */
    private static final int NODE = 56;
    /** Bytes that a directory's node adds: header, id, bytes of rows, listing, two tables, five counts, used. */
    private static final int BELOW = 64;
    /** An INode without its name; its traits are shared with others: header, six longs, three references. */
    private static final int INODE = 72;
    /** Header, a long, three ints, six references. */
    private static final int TRAITS = 64;
    /** Header and two references, and the same of its list. */
    private static final int ACL = 48;
    /** Header, an int, a flag, two references. */
    private static final int ACL_ENTRY = 32;
    /** A reference in the traits array, including slack for growth, and the map entry. */
    private static final int NUMBERED = 72;
    /** Header, four arrays, parent, bytes of its own traits, two flags. */
    private static final int LISTING = 48;

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
        Children below = node.below();
        return bytes + (content == null ? 0 : array(content.length)) + (below == null ? 0 : below(below));
    }

    /** Returns the size of a directory's children, excluding child nodes. */
    static long below(Children below) {
        Listing listing = below.listing();
        return BELOW + below.tableBytes() + below.rowBytes() + (listing == null ? 0 : listing.bytes());
    }

    /** Returns the size of a table of children. */
    static long table(int slots) {
        return slots == 0 ? 0 : array((long) slots * REFERENCE);
    }

    static long row(byte[] row) {
        return array(row.length);
    }

    /** Returns the size of a listing's own objects, excluding traits. */
    static long listing(int packed, int children, int traits) {
        return LISTING + array(packed) + array((long) children * Integer.BYTES) + array((long) traits * REFERENCE);
    }

    /** Returns the size of a listing's unknown names. */
    static long names(String[] names) {
        long bytes = names.length == 0 ? 0 : array((long) names.length * REFERENCE);
        for (String name : names) {
            bytes += string(name);
        }
        return bytes;
    }

    /** Returns the size of unshared traits. */
    static long traits(INode.Traits traits) {
        Acl acl = traits.acl();
        String policy = traits.storagePolicy();
        return TRAITS
                + string(traits.owner())
                + string(traits.group())
                + (acl == null ? 0 : acl(acl))
                + (policy.isEmpty() ? 0 : string(policy));
    }

    private static long acl(Acl acl) {
        long bytes = ACL + string(acl.toString()) + array((long) acl.entries().size() * REFERENCE);
        for (AclEntry entry : acl.entries()) {
            bytes += ACL_ENTRY + string(entry.name());
        }
        return bytes;
    }

    static long shared(INode.Traits traits) {
        return NUMBERED + traits(traits);
    }

    private static long string(String text) {
        int bytesPerChar = 1;
        for (int i = 0; i < text.length() && bytesPerChar == 1; i++) {
            bytesPerChar = text.charAt(i) < 256 ? 1 : 2;
        }
        return 24 + array((long) text.length() * bytesPerChar);
    }

    /**
     * Returns the maximum size a fill adds if at most one directory above it was empty, excluding a larger table if its
     * directory's is full ({@link Children#growth}).
     */
    static long of(Fill fill) {
        FsPath path = fill.path();
        if (fill instanceof Fill.Children children) {
            return directory(path.name()) + children.listing().bytes();
        }
        if (fill instanceof Fill.Names names) {
            return names.children().values().stream()
                    .mapToLong(child -> child == null ? 0 : INODE + string(child.name()))
                    .sum();
        }
        byte[] content = fill instanceof Fill.Entry entry ? entry.content() : null;
        long item = NODE + INODE + string(path.name()) + (content == null ? 0 : array(content.length));
        return item + (path.depth() < 2 ? BELOW : directory(path.name(path.depth() - 2)));
    }

    private static long directory(String name) {
        return NODE + INODE + string(name) + BELOW + table(Children.SMALLEST);
    }

    private static long array(long bytes) {
        return (ARRAY + bytes + 7) & ~7L;
    }

    /** Returns whether two references are the same object; equality would not tell. */
    @SuppressWarnings({"ReferenceEquality", "StringEquality"})
    private static boolean sameObject(@Nullable Object a, @Nullable Object b) {
        return a == b;
    }
}
