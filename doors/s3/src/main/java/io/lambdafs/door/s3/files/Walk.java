package io.lambdafs.door.s3.files;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.Utf8Order;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.operation.Reply;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a bucket, in the order of their UTF-8 bytes, read page by page. Directories are listed by name, and keys below
 * {@code a} begin with {@code a/}, which comes after {@code a-}: so a directory is held back until its turn. For one thread.
 */
final class Walk {
    private static final int PAGE = 1_000;

    private final BlockingLambdaFs fs;
    private final boolean deep;
    private final Deque<Level> levels = new ArrayDeque<>();

    /**
     * An object, or a directory that is not walked.
     *
     * @param key of a directory with a slash at its end
     */
    record Entry(String key, FsPath path, Attributes file, boolean isDirectory) {}

    /**
     * Begins.
     *
     * @param prefix with which keys begin
     * @param after only keys after this one; empty for all
     * @param deep whether the keys below directories beyond the prefix are walked
     */
    Walk(BlockingLambdaFs fs, FsPath bucket, String prefix, String after, boolean deep) throws InterruptedException {
        this.fs = fs;
        this.deep = deep;
        int slash = prefix.lastIndexOf('/');
        String base = prefix.substring(0, slash + 1);
        FsPath directory = bucket;
        for (String name :
                base.isEmpty() ? new String[0] : base.substring(0, slash).split("/", -1)) {
            if (!FsPath.isValidName(name) || Places.isHidden(name)) {
                return;
            }
            directory = directory.child(name);
        }
        if (!base.isEmpty() && !isDirectory(directory)) {
            return;
        }
        push(directory, base, prefix.substring(slash + 1), after);
    }

    private boolean isDirectory(FsPath path) throws InterruptedException {
        try {
            return fs.stat(path).isDirectory();
        } catch (FsException e) {
            if (e.code() == ErrorCode.NOT_FOUND || e.code() == ErrorCode.NOT_A_DIRECTORY) {
                return false;
            }
            throw e;
        }
    }

    /** Returns the next entry; null at the end. */
    @Nullable
    Entry next() throws InterruptedException {
        while (!levels.isEmpty()) {
            Level level = levels.peek();
            Entry next = level.next();
            if (next == null) {
                levels.pop();
            } else if (next.isDirectory() && deep) {
                push(next.path(), next.key(), "", level.after);
            } else {
                return next;
            }
        }
        return null;
    }

    private void push(FsPath directory, String base, String wanted, String after) throws InterruptedException {
        String rest;
        if (after.startsWith(base)) {
            rest = after.substring(base.length());
        } else if (Utf8Order.compare(after, base) > 0) {
            return;
        } else {
            rest = "";
        }
        Level level = new Level(directory, base, wanted, after, rest);
        try {
            level.begin();
            levels.push(level);
        } catch (FsException e) {
            // Removed meanwhile, or never there, or a file.
            if (e.code() != ErrorCode.NOT_FOUND && e.code() != ErrorCode.NOT_A_DIRECTORY) {
                throw e;
            }
        }
    }

    /** A directory being walked. */
    private final class Level {
        private final FsPath directory;
        private final String base;
        private final String wanted;
        private final String after;
        private final String rest;
        private final Deque<Attributes> page = new ArrayDeque<>();
        /** Directories whose turn has not come, by their names with a slash. */
        private final TreeMap<String, Attributes> held = new TreeMap<>(Utf8Order::compare);

        private String last = "";
        private boolean atEnd;
        private @Nullable Attributes own;

        /**
         * @param wanted with which names begin
         * @param rest of the key after which to begin, below the directory; empty for its first
         */
        Level(FsPath directory, String base, String wanted, String after, String rest) {
            this.directory = directory;
            this.base = base;
            this.wanted = wanted;
            this.after = after;
            this.rest = rest;
        }

        void begin() throws InterruptedException {
            int slash = rest.indexOf('/');
            String reached = slash < 0 ? rest : rest.substring(0, slash);
            Set<String> asked = new TreeSet<>(Utf8Order::compare);
            if (!reached.isEmpty()) {
                asked.add(reached);
                for (int i = 1; i < reached.length(); i++) {
                    // A directory of this name comes after the names that go on with such a character.
                    if (reached.charAt(i) < '/') {
                        asked.add(reached.substring(0, i));
                    }
                }
            }
            last = reached;
            if (!wanted.isEmpty() && Utf8Order.compare(wanted, reached) > 0) {
                asked.add(wanted);
                last = wanted;
            }
            for (String name : asked) {
                if (name.startsWith(wanted) && FsPath.isValidName(name) && !Places.isHidden(name)) {
                    ask(name);
                }
            }
            if (page.isEmpty()) {
                read();
            }
            if (rest.isEmpty() && wanted.isEmpty()) {
                findOwn();
            }
        }

        /** Looks up one name, which the pages do not show. */
        private void ask(String name) throws InterruptedException {
            Attributes found;
            try {
                found = fs.stat(directory.child(name));
            } catch (FsException e) {
                if (e.code() != ErrorCode.NOT_FOUND && e.code() != ErrorCode.INVALID_PATH) {
                    throw e;
                }
                return;
            }
            String key = name + "/";
            if (found.isDirectory()) {
                // The keys below one that is not walked are all told by its own.
                boolean within = rest.startsWith(key) && (deep || rest.length() > key.length());
                if (found.children() > 0 && (within || Utf8Order.compare(key, rest) > 0)) {
                    held.put(key, found);
                }
            } else if (Utf8Order.compare(name, rest) > 0) {
                page.add(found);
            }
        }

        /** Finds the object of the directory itself, whose key comes before all others of it. */
        private void findOwn() throws InterruptedException {
            if (base.isEmpty() || after.startsWith(base)) {
                return;
            }
            own = page.stream()
                    .filter(each -> each.name().equals(Places.OF_DIRECTORY))
                    .findFirst()
                    .orElse(null);
            if (own == null && !atEnd && Utf8Order.compare(last, Places.OF_DIRECTORY) < 0) {
                own = Looking.status(fs, directory.child(Places.OF_DIRECTORY)).orElse(null);
            }
        }

        /** Returns whether an entry comes before the key to begin after: its name may come after the directory's in that key. */
        private boolean isBefore(Attributes entry) {
            String key = entry.isDirectory() ? entry.name() + "/" : entry.name();
            return Utf8Order.compare(key, rest) <= 0 && !rest.startsWith(key);
        }

        private void read() throws InterruptedException {
            if (atEnd) {
                return;
            }
            Reply.Page read = fs.list(directory, last, PAGE);
            atEnd = !read.more() || read.entries().isEmpty();
            page.addAll(read.entries());
            if (!read.entries().isEmpty()) {
                last = read.entries().get(read.entries().size() - 1).name();
            }
        }

        @Nullable
        Entry next() throws InterruptedException {
            Attributes ownFile = own;
            if (ownFile != null) {
                own = null;
                return new Entry(base, directory.child(Places.OF_DIRECTORY), ownFile, false);
            }
            while (true) {
                if (page.isEmpty()) {
                    read();
                }
                Attributes first = page.peek();
                if (first != null && !first.name().startsWith(wanted)) {
                    page.clear();
                    atEnd = true;
                    first = null;
                }
                if (!held.isEmpty() && (first == null || Utf8Order.compare(held.firstKey(), first.name()) < 0)) {
                    Map.Entry<String, Attributes> turn = held.pollFirstEntry();
                    Attributes found = turn.getValue();
                    return new Entry(base + turn.getKey(), directory.child(found.name()), found, true);
                }
                if (first == null) {
                    return null;
                }
                page.remove();
                if (Places.isHidden(first.name()) || isBefore(first)) {
                    continue;
                }
                if (!first.isDirectory()) {
                    return new Entry(base + first.name(), directory.child(first.name()), first, false);
                }
                if (first.children() > 0) {
                    held.put(first.name() + "/", first);
                }
            }
        }
    }
}
