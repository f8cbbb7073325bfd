package io.lambdafs.functions.cache;

/**
 * What a {@link PathTrie} holds and has done since it was made. Immutable.
 *
 * @param bytes memory of what is cached, and of what was invalidated and is not yet reclaimed, estimated
 * @param inodes links and entries of their own, without those in listings
 * @param contents files whose bytes are cached
 * @param listings complete listings
 * @param evictions items dropped for want of memory
 * @param invalidatedPaths paths named by invalidations
 * @param voidedFills fills that an invalidation, a clear or a closed cache kept from being published
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
