package io.lambdafs.door.mount.calls;

import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.operation.Reply;
import org.jspecify.annotations.Nullable;

/** A directory being listed, page by page, in name order. For one thread at a time. */
final class OpenDirectory {
    static final int PAGE = 1_000;

    private final Pages pages;
    private @Nullable Page page;
    private boolean shown;

    /** Lists the children after a name. */
    interface Pages {
        Reply.Page after(String name) throws InterruptedException;
    }

    private record Page(long first, Reply.Page children) {
        long end() {
            return first + children.entries().size();
        }

        Attributes at(long number) {
            return children.entries().get((int) (number - first));
        }
    }

    OpenDirectory(Pages pages) {
        this.pages = pages;
    }

    /** Begins with what there is now, unless nothing was shown since it last did. */
    void rewind() throws InterruptedException {
        if (page == null || shown) {
            page = new Page(0, pages.after(""));
            shown = false;
        }
    }

    /** Returns a child by its number; null if there are not so many. Going back a page begins again. */
    @Nullable
    Attributes child(long number) throws InterruptedException {
        Page now = page;
        if (now == null || number < now.first()) {
            now = new Page(0, pages.after(""));
        }
        while (number >= now.end() && now.children().more() && now.end() > now.first()) {
            now = new Page(now.end(), pages.after(now.at(now.end() - 1).name()));
        }
        page = now;
        shown = true;
        return number >= now.end() ? null : now.at(number);
    }
}
