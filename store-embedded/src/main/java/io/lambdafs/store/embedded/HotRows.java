package io.lambdafs.store.embedded;

import io.lambdafs.store.Key;
import io.lambdafs.store.Row;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A direct-mapped cache of recently read or written rows, such as epochs, directories and slots, which every write
 * looks up. Each row has one possible slot, which the next row for that slot takes over. While a group of commits is
 * being written, its rows are absent, and rows read before the group's end are not added, because they may be outdated.
 * Thread-safe; lookups are lock-free.
 */
final class HotRows {
    /** Maximum stored size of a cached row. */
    static final int MAX_BYTES = 1 << 10;
    /** The most rows of a group of commits that are cached: rows of a bulk load are rarely looked up again. */
    static final int MAX_GROUP = 1 << 12;
    /** The version of rows that must not be cached. */
    static final long NO_VERSION = -1;

    private static final int BITS = 14;

    private final AtomicReferenceArray<Row> places = new AtomicReferenceArray<>(1 << BITS);
    /** Odd while a group is being written. */
    private volatile long version;

    private static int place(Key key) {
        return (key.hashCode() * 0x9e3779b9) >>> (Integer.SIZE - BITS);
    }

    /** Returns the row of a key; null if not cached. */
    @Nullable
    Row get(Key key) {
        Row row = places.get(place(key));
        return row != null && row.key().equals(key) ? row : null;
    }

    /**
     * Returns the version, which changes at each begin and end of a group: rows looked up under the same version are of
     * one moment.
     */
    long version() {
        return version;
    }

    /**
     * Caches a row, unless it may have changed since it was read.
     *
     * @param since the version before it was read
     */
    synchronized void fill(Row row, long since) {
        if (since == version && since % 2 == 0) {
            places.set(place(row.key()), row);
        }
    }

    /** Called before a group that changes these keys is written. */
    synchronized void begin(Collection<Key> keys) {
        for (Key key : keys) {
            int place = place(key);
            Row row = places.get(place);
            if (row != null && row.key().equals(key)) {
                places.set(place, null);
            }
        }
        // Last: a reader that still finds an old row afterwards finds the old version, or notices a group in between.
        next();
    }

    /** Called after a group, with the rows it changed, or none if it failed. */
    synchronized void end(Collection<Row> rows) {
        for (Row row : rows) {
            places.set(place(row.key()), row);
        }
        next();
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // Under the lock.
    private void next() {
        version++;
    }
}
