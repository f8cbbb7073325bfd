package io.lambdafs.functions.namenode;

import io.lambdafs.model.INode;

/** How long a page of a listing may be in bytes, beside how many entries it may have: its reply must fit an HTTP body. Stateless. */
final class PageBytes {
    /** In base64 less than the megabyte that platforms take for a result. */
    static final int MAX = 640 << 10;
    /** Of an entry without its texts, at most. */
    private static final int FIXED = 96;

    private PageBytes() {}

    /** What an entry takes, at most. */
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
