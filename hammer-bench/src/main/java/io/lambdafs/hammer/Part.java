package io.lambdafs.hammer;

/**
 * The progress of a process that offers a share of a load. Immutable but for the slice, which the receiver owns.
 *
 * @param seconds since its start
 * @param offered operations scheduled so far
 * @param done operations answered so far
 * @param waiting operations in flight or late
 * @param failed so far
 * @param reads cache hits and misses seen by its client
 * @param slice latency counted since the previous part
 */
public record Part(double seconds, long offered, long done, long waiting, long failed, Reads reads, Slice slice) {
    /**
     * The cache hits and misses that a client has seen so far.
     *
     * @param httpShare share of its requests by HTTP, 0–1
     */
    public record Reads(long hits, long misses, double httpShare) {
        static Reads of(Sample sample) {
            return new Reads(sample.cacheHits(), sample.cacheMisses(), sample.httpShare());
        }
    }
}
