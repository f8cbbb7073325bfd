package io.lambdafs.functions.cache;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.Scope;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A log of the last invalidated paths, which decides whether a fill is void. {@link #count} may be read by any thread;
 * the rest is guarded by the trie's mutex.
 */
final class InvalidationLog {
    private enum Role {
        ENTRY,
        LISTING,
        PREFIX
    }

    private record Item(Role role, FsPath path) {
        boolean voids(Fill fill) {
            return switch (role) {
                case ENTRY -> !fill.isOfListing() && path.equals(fill.path());
                case LISTING -> fill.isOfListing() && path.equals(fill.path());
                case PREFIX -> fill.path().isAtOrBelow(path);
            };
        }

        boolean isIn(FsPath directory) {
            return role != Role.LISTING && path.isChildOf(directory);
        }
    }

    private final @Nullable Item[] ring;
    private long written;
    private volatile long count;

    InvalidationLog(int size) {
        ring = new @Nullable Item[size];
    }

    /** Records an invalidation; tickets taken before {@link #done} count as older. */
    void add(Scope scope, List<FsPath> prefixes) {
        add(Role.ENTRY, scope.entries());
        add(Role.LISTING, scope.wholeListings());
        add(Role.PREFIX, prefixes);
    }

    private void add(Role role, List<FsPath> paths) {
        for (FsPath path : paths) {
            ring[(int) (written++ % ring.length)] = new Item(role, path);
        }
    }

    /** Marks the recorded paths as removed from the cache. */
    void done() {
        count = written;
    }

    /** Returns the number of paths invalidated so far. */
    long count() {
        return count;
    }

    /**
     * Returns whether an invalidation since then covers the fill as a whole, or may cover it because the log no longer reaches
     * back.
     */
    boolean voids(long since, Fill fill) {
        return written - since > ring.length || any(since, item -> item.voids(fill));
    }

    /** Returns whether a name of a directory was invalidated since then; the log must reach back. */
    boolean touches(long since, FsPath directory) {
        return any(since, item -> item.isIn(directory));
    }

    private boolean any(long since, Predicate<Item> such) {
        for (long i = since; i < written; i++) {
            if (such.test(item(i))) {
                return true;
            }
        }
        return false;
    }

    private Item item(long i) {
        return Objects.requireNonNull(ring[(int) (i % ring.length)]);
    }

    /** Adds the names of a directory invalidated since then; the log must reach back. */
    void names(long since, FsPath directory, Collection<String> to) {
        for (long i = since; i < written; i++) {
            Item item = item(i);
            if (item.isIn(directory)) {
                to.add(item.path().name());
            }
        }
    }
}
