package io.lambdafs.hammer;

/**
 * How far a process is that offers a share of a load. Immutable but for the slice, which the receiver owns.
 *
 * @param seconds since its start
 * @param offered operations meant to start so far
 * @param done operations answered so far
 * @param waiting operations in flight or late
 * @param failed so far
 * @param reads what its client has seen of caches
 * @param slice latency of what was counted since the part before
 */
public record Part(double seconds, long offered, long done, long waiting, long failed, Reads reads, Slice slice) {
    /**
     * What a client has seen of caches so far.
     *
     * @param httpShare of its requests, 0–1
     */
    public record Reads(long hits, long misses, double httpShare) {
        static Reads of(Sample sample) {
            return new Reads(sample.cacheHits(), sample.cacheMisses(), sample.httpShare());
        }
    }
}
