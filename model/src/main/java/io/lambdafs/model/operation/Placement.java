package io.lambdafs.model.operation;

import io.lambdafs.model.FsPath;

/**
 * Maps directories to deployments (the paper's §3.1 and §3.3): consistent hashing of the parent path over n
 * deployments, used for routing, cache filling and invalidation alike. It is Lamping and Veach's jump consistent hash
 * over a mixed 64-bit FNV-1a of the path's characters: balanced without a table, and growing n to n + 1 moves only 1/(n
 * + 1) of the directories. Immutable.
 *
 * @param generation rises with every change of n; {@value #FIRST_GENERATION} as formatted
 * @param deployments n, 1–{@value #MAX_DEPLOYMENTS}
 */
public record Placement(int generation, int deployments) {
    public static final int MAX_DEPLOYMENTS = 1_024;
    public static final int FIRST_GENERATION = 0;

    /** The initial placement of a file system, as formatted. */
    public Placement(int deployments) {
        this(FIRST_GENERATION, deployments);
    }

    public Placement {
        if (generation < FIRST_GENERATION) {
            throw new IllegalArgumentException("a generation is 0 or more, not " + generation);
        }
        if (deployments < 1 || deployments > MAX_DEPLOYMENTS) {
            throw new IllegalArgumentException("deployments must be 1.." + MAX_DEPLOYMENTS + ", not " + deployments);
        }
    }

    /** Returns whether this placement is newer than another. */
    public boolean isLaterThan(Placement other) {
        return generation > other.generation;
    }

    /** Returns the deployment that serves and caches a directory's children. */
    public int ofChildren(FsPath directory) {
        return jump(hash(directory.toString()), deployments);
    }

    /** Returns {@code owner(p)}, the deployment that requests for a path go to and that caches its entry. */
    public int owner(FsPath path) {
        return ofChildren(path.parent());
    }

    /** Returns the deployment that an operation is sent to. */
    public int of(Operation<?> operation) {
        return ofChildren(operation.routingDirectory());
    }

    static long hash(String text) {
        long h = 0xcbf29ce484222325L;
        for (int i = 0; i < text.length(); i++) {
            h = (h ^ text.charAt(i)) * 0x100000001b3L;
        }
        h = (h ^ (h >>> 33)) * 0xff51afd7ed558ccdL;
        h = (h ^ (h >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return h ^ (h >>> 33);
    }

    static int jump(long key, int buckets) {
        long k = key;
        long bucket = -1;
        long next = 0;
        while (next < buckets) {
            bucket = next;
            k = k * 2862933555777941757L + 1;
            next = (long) ((bucket + 1) * ((double) (1L << 31) / ((k >>> 33) + 1)));
        }
        return (int) bucket;
    }
}
