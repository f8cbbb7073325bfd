package io.lambdafs.functions.namenode;

import io.lambdafs.model.INode;

/**
 * Limits the bytes of a listing page, besides the number of entries, so that the reply fits an HTTP body. Stateless.
 */
final class PageBytes {
    /** In base64, below the one megabyte that platforms accept as a result. */
    static final int MAX = 640 << 10;
    /** Maximum size of an entry without its strings. */
    private static final int FIXED = 96;

    private PageBytes() {}

    /** Returns an upper bound of an entry's bytes. */
    static int of(INode node) {
        return FIXED + utf8(node.name()) + utf8(node.owner()) + utf8(node.group());
    }

    private static int utf8(String text) {
        int bytes = text.length();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            bytes += c < 0x80 ? 0 : c < 0x800 ? 1 : 2;
        }
        return bytes;
    }
}
