package io.lambdafs.functions.cache;

/**
 * Limits of a {@link PathTrie}. Immutable.
 *
 * @param maxBytes maximum memory for cached items, as estimated by {@link Footprint}; at least 64 KiB, or 0 for no
 *     cache at all. A fill that alone would take more than a quarter of it is not cached.
 * @param invalidationLog number of invalidated paths remembered for voiding fills; a fill with a ticket older than the
 *     oldest of them is void; at least 1
 */
public record CacheLimits(long maxBytes, int invalidationLog) {
    public static final CacheLimits DEFAULT = new CacheLimits(64L << 20, 4096);

    public CacheLimits {
        if (maxBytes < 64 << 10 && maxBytes != 0) {
            throw new IllegalArgumentException("maxBytes must be 0 or at least 65536, is " + maxBytes);
        }
        if (invalidationLog < 1) {
            throw new IllegalArgumentException("invalidationLog must be at least 1, is " + invalidationLog);
        }
    }
}
