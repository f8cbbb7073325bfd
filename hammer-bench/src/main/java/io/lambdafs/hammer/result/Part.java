package io.lambdafs.hammer.result;

/**
 * The progress of a process that offers a share of a load. Immutable but for the slice, which the receiver owns.
 *
 * @param seconds since its start
 * @param offered operations scheduled so far
 * @param done operations answered so far
 * @param waiting operations in flight or late
 * @param failed so far
 * @param requests the requests and cache hits of its client
 * @param slice latency counted since the previous part
 */
public record Part(double seconds, long offered, long done, long waiting, long failed, Requests requests, Slice slice) {
    /**
     * The requests of a client since the start of its load, and the cache hits and misses that it has seen.
     *
     * @param sent by whichever way
     * @param byHttp those of them that were sent by HTTP
     */
    public record Requests(long hits, long misses, long sent, long byHttp) {
        public static Requests between(Sample first, Sample now) {
            return new Requests(
                    now.cacheHits() - first.cacheHits(),
                    now.cacheMisses() - first.cacheMisses(),
                    now.requests() - first.requests(),
                    now.byHttp() - first.byHttp());
        }
    }
}
