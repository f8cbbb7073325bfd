package io.lambdafs.functions.namenode;

import io.lambdafs.model.INode;

/** Limits a page of a listing in bytes, besides its entries, so that its reply fits an HTTP body. Stateless. */
final class PageBytes {
    /** In base64 less than the megabyte that platforms take for a result. */
    static final int MAX = 640 << 10;
    /** Of an entry without its texts, at most. */
    private static final int FIXED = 96;

    private PageBytes() {}

    /** An upper bound of an entry's bytes. */
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
