package io.lambdafs.store.embedded;

import io.lambdafs.store.Key;
import io.lambdafs.store.Row;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Rows that were lately read or written: the epochs of instances, directories, slots, which write after write looks up. A row has one
 * place, until another row for that place comes. While a group of commits is being written, what it changes is not here, and nothing comes
 * here that was read since before its end, for that may be what was. Thread-safe; looking up takes no lock.
 */
final class HotRows {
    /** Of a row as it is stored; larger ones are not to be kept. */
    static final int MAX_BYTES = 1 << 10;
    /** What was read since no version that is known. */
    static final long NO_VERSION = -1;

    private static final int BITS = 14;

    private final AtomicReferenceArray<Row> places = new AtomicReferenceArray<>(1 << BITS);
    /** Odd while a group is being written. */
    private volatile long version;

    private static int place(Key key) {
        return (key.hashCode() * 0x9e3779b9) >>> (Integer.SIZE - BITS);
    }

    /** The row of a key; null where it is not known here. */
    @Nullable
    Row get(Key key) {
        Row row = places.get(place(key));
        return row != null && row.key().equals(key) ? row : null;
    }

    /** Another one after each begin and each end of a group: rows that were looked up under the same one are of one moment. */
    long version() {
        return version;
    }

    /**
     * Puts a row here, unless it may have been changed since it was read.
     *
     * @param since the version before it was read
     */
    synchronized void fill(Row row, long since) {
        if (since == version && since % 2 == 0) {
            places.set(place(row.key()), row);
        }
    }

    /** A group is about to be written that changes these. */
    synchronized void begin(Collection<Key> keys) {
        for (Key key : keys) {
            int place = place(key);
            Row row = places.get(place);
            if (row != null && row.key().equals(key)) {
                places.set(place, null);
            }
        }
        // Last: who still finds an old row finds the old version afterwards, or sees by it that a group has come
        // between.
        next();
    }

    /** The group is over, and these are what it has left: all that it made, or nothing. */
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
