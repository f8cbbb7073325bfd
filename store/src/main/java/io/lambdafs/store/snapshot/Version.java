package io.lambdafs.store.snapshot;

import io.lambdafs.model.inode.INode;
import io.lambdafs.store.Key;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;

/**
 * The former row of a name in a directory (PROTOCOL: V2), as a row of {@link Schema#VERSIONS}. Immutable.
 *
 * @param node as it was; the snapshots after its stamp, up to the number, see it
 * @param number of the last snapshot that could see it when it was copied
 */
public record Version(INode node, long number) {
    private static final char END = '\0';

    /** The name of a snapshot's own directory in that. */
    public static final String TOP = "";

    public static Key key(long parentId, String name, long number) {
        return Schema.VERSIONS.key(parentId, named(name, number));
    }

    /** Returns the second part of the key after which a directory's names have their versions for a snapshot and later ones. */
    public static String before(String name, long snapshot) {
        return named(name, snapshot - 1);
    }

    /** Returns the second part of a key behind all versions of a name. */
    public static String behind(String name) {
        return named(name, Long.MAX_VALUE);
    }

    private static String named(String name, long number) {
        return name + END + hex(number);
    }

    static String hex(long number) {
        String digits = Long.toHexString(number);
        return "0".repeat(Long.BYTES * 2 - digits.length()) + digits;
    }

    public Key key() {
        return key(node.parentId(), node.name(), number);
    }

    public Row row() {
        return Rows.of(key(), node);
    }

    public static Version of(Row row) {
        String version = row.key().string(1);
        int end = version.indexOf(END);
        return new Version(
                Rows.inode(row, version.substring(0, end)), Long.parseLong(version.substring(end + 1), Long.BYTES * 2));
    }

    public boolean isSeenBy(long snapshot) {
        return node.stamp() < snapshot && snapshot <= number;
    }

    /** Returns whether it holds the content of its file. */
    public boolean holdsContent() {
        return holdsContent(node);
    }

    /** Returns whether a version of an INode would hold the content of its file. */
    public static boolean holdsContent(INode node) {
        return node.isFile()
                && (node.content() == INode.Content.INLINE || node.content().isInBlocks());
    }
}
