package io.lambdafs.functions.cache;

/**
 * Statistics of a {@link PathTrie}: its contents and its counters since creation. Immutable.
 *
 * @param bytes estimated memory of cached items, and of invalidated ones not yet reclaimed
 * @param inodes links and entries, not counting those in listings
 * @param contents files whose bytes are cached
 * @param listings complete listings
 * @param evictions items dropped for lack of memory
 * @param invalidatedPaths paths named by invalidations
 * @param voidedFills fills not published because of an invalidation, a clear or a closed cache
 * @param refusedFills fills not published for another reason: flagged, no link to the root, too large, no room
 */
public record CacheStats(
        long bytes,
        long inodes,
        long contents,
        long listings,
        long evictions,
        long invalidatedPaths,
        long voidedFills,
        long refusedFills) {}
