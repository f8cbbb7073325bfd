package io.lambdafs.hammer.scale;

import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The cache of an instance: a bit for each file and two for each directory; if its size is limited, entries not used
 * recently are evicted (CLOCK, as in the real cache). Not thread-safe.
 */
final class ModelCache {
    private final int files;
    private final int most;
    private final BitSet entries = new BitSet();
    private final BitSet used = new BitSet();
    private final BitSet directories = new BitSet();
    private final BitSet listings = new BitSet();
    private final int[] changes;
    /** The entries from the oldest on, if their number is limited. */
    private final Set<Integer> clock = new LinkedHashSet<>();

    private long hits;
    private long misses;

    /** @param most maximum number of entries; 0 for no limit */
    ModelCache(int directories, int files, int most) {
        this.files = files;
        this.most = most;
        this.changes = new int[directories];
    }

    long hits() {
        return hits;
    }

    long misses() {
        return misses;
    }

    /** Looks up a file, and counts a hit or a miss. */
    boolean has(int directory, int file) {
        int entry = directory * files + file;
        boolean hit = directories.get(directory) && entries.get(entry);
        count(hit);
        if (hit && most > 0) {
            used.set(entry);
        }
        return hit;
    }

    boolean hasListing(int directory) {
        boolean hit = listings.get(directory);
        count(hit);
        return hit;
    }

    private void count(boolean hit) {
        if (hit) {
            hits++;
        } else {
            misses++;
        }
    }

    /** Returns the version that a read starting now presents when it fills the cache. */
    int ticket(int directory) {
        return changes[directory];
    }

    /** Caches the result of a read, unless the directory has changed meanwhile. */
    void fill(int directory, int file, int ticket) {
        if (changes[directory] == ticket) {
            directories.set(directory);
            add(directory * files + file);
        }
    }

    /** Caches the complete listing of a directory, under the same condition. */
    void fillListing(int directory, int ticket) {
        if (changes[directory] == ticket) {
            directories.set(directory);
            listings.set(directory);
            for (int file = 0; file < files; file++) {
                add(directory * files + file);
            }
        }
    }

    private void add(int entry) {
        if (entries.get(entry)) {
            return;
        }
        entries.set(entry);
        if (most == 0) {
            return;
        }
        clock.add(entry);
        while (clock.size() > most) {
            int oldest = clock.iterator().next();
            clock.remove(oldest);
            if (used.get(oldest)) {
                used.clear(oldest);
                clock.add(oldest);
            } else {
                entries.clear(oldest);
                listings.clear(oldest / files);
            }
        }
    }

    /** Applies another instance's change of a file. */
    void invalidate(int directory, int file) {
        int entry = directory * files + file;
        changes[directory]++;
        entries.clear(entry);
        used.clear(entry);
        clock.remove(entry);
        listings.clear(directory);
    }

    /** Applies this instance's own change: its listing stays. */
    void written(int directory, int file) {
        changes[directory]++;
        directories.set(directory);
        add(directory * files + file);
    }
}
