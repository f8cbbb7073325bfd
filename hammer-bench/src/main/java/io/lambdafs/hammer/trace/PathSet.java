package io.lambdafs.hammer.trace;

import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;

/**
 * Paths by 64 bits of their hash, in 16 to 32 bytes each: among 10 million paths, the probability that two are taken
 * for one is some 3 in a million. Confined to one thread.
 */
final class PathSet {
    private static final int MOST = 1 << 25;

    private long[] slots = new long[1 << 10];
    private int size;

    /** Adds a path; returns false if it was there. */
    boolean add(FsPath path) {
        long hash = hash(path);
        int at = find(hash);
        if (slots[at] == hash) {
            return false;
        }
        slots[at] = hash;
        size++;
        if (size > slots.length / 2) {
            grow();
        }
        return true;
    }

    boolean contains(FsPath path) {
        long hash = hash(path);
        return slots[find(hash)] == hash;
    }

    int size() {
        return size;
    }

    private int find(long hash) {
        int mask = slots.length - 1;
        int at = (int) (hash >>> 32) & mask;
        while (slots[at] != 0 && slots[at] != hash) {
            at = (at + 1) & mask;
        }
        return at;
    }

    private void grow() {
        if (size > MOST) {
            throw FsException.invalidArgument("the trace names more than " + MOST
                    + " paths; prepare its namespace yourself and use --no-prepare");
        }
        long[] old = slots;
        slots = new long[old.length * 2];
        for (long hash : old) {
            if (hash != 0) {
                slots[find(hash)] = hash;
            }
        }
    }

    /** Returns a hash that is never 0, which marks a free slot. */
    private static long hash(FsPath path) {
        String text = path.toString();
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x9e3779b97f4a7c15L;
            hash ^= hash >>> 29;
        }
        hash = (hash ^ (hash >>> 32)) * 0xbf58476d1ce4e5b9L;
        hash ^= hash >>> 31;
        return hash == 0 ? 1 : hash;
    }
}
