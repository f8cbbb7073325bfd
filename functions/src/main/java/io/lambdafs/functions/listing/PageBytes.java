package io.lambdafs.functions.listing;

import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.Difference;
import io.lambdafs.model.operation.Reply;

/**
 * Limits the bytes of a listing page, besides the number of entries, so that the reply fits an HTTP body. Stateless.
 */
public final class PageBytes {
    /** In base64, below the one megabyte that platforms accept as a result. */
    public static final int MAX = 640 << 10;
    /** Maximum size of an entry without its strings. */
    private static final int FIXED = 96;

    private PageBytes() {}

    /** Returns an upper bound of an entry's bytes. */
    public static int of(INode node) {
        return of(node.name(), node.traits());
    }

    /** Returns an upper bound of a page's or a failure's bytes. */
    public static int of(Reply outcome) {
        if (outcome instanceof Reply.Page page) {
            int bytes = FIXED;
            for (Attributes entry : page.entries()) {
                bytes += of(entry.name(), entry.traits());
            }
            return bytes;
        }
        return outcome instanceof Reply.Failure failure ? FIXED + utf8(failure.message()) : FIXED;
    }

    /** Returns an upper bound of a difference's bytes. */
    public static int of(Difference one) {
        return FIXED + utf8(one.path()) + utf8(one.target());
    }

    private static int of(String name, INode.Traits traits) {
        return FIXED + utf8(name) + utf8(traits.owner()) + utf8(traits.group());
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
