package io.lambdafs.model;

/**
 * Which deployment caches what (the paper's §3.1 and §3.3): consistent hashing of the parent path over n deployments. One
 * function serves routing, cache filling and invalidation. It is Lamping and Veach's jump consistent hash over a 64-bit
 * FNV-1a of the path's characters, mixed: balanced without a table, and when n grows to n + 1 only 1/(n + 1) of the
 * directories change their place. Immutable.
 *
 * @param generation rises with every change of n; {@value #FIRST_GENERATION} as formatted
 * @param deployments n, 1–{@value #MAX_DEPLOYMENTS}
 */
public record Placement(int generation, int deployments) {
    public static final int MAX_DEPLOYMENTS = 1_024;
    public static final int FIRST_GENERATION = 0;

    /** That of a file system as it was formatted. */
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

    /** Returns whether this one came after another. */
    public boolean isLaterThan(Placement other) {
        return generation > other.generation;
    }

    /** The deployment that serves and caches everything about the children of a directory. */
    public int ofChildren(FsPath directory) {
        return jump(hash(directory.toString()), deployments);
    }

    /** {@code owner(p)}: the deployment that a path is routed to and that caches its entry. */
    public int owner(FsPath path) {
        return ofChildren(path.parent());
    }

    /** The deployment that an operation is sent to. */
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
