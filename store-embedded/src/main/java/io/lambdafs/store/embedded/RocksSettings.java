package io.lambdafs.store.embedded;

import java.nio.file.Path;

/**
 * Settings of an embedded store. Immutable.
 *
 * @param directory of the database, created if missing; used by one process at a time
 * @param fsync whether a commit waits until it is on disk; without it a power failure loses acknowledged commits (a
 *     crash of the process does not): for benchmarks that say so
 * @param cacheBytes of the block cache, at least 1 MiB
 * @param memtableBytes of one memtable, at least 64 KiB; up to three exist
 * @param minFreeBytes free space below which commits that add entries or content are refused with {@code STORE_FULL};
 *     the log still has room for others, so that instances can join and data can be read and removed; 0 to find out the
 *     hard way
 * @param readThreads for reads from disk
 */
public record RocksSettings(
        Path directory, boolean fsync, long cacheBytes, long memtableBytes, long minFreeBytes, int readThreads) {

    public RocksSettings {
        if (cacheBytes < 1 << 20 || memtableBytes < 64 << 10 || minFreeBytes < 0 || readThreads < 1) {
            throw new IllegalArgumentException(
                    "store settings out of range: cacheBytes " + cacheBytes + ", memtableBytes " + memtableBytes
                            + ", minFreeBytes " + minFreeBytes + ", readThreads " + readThreads);
        }
    }

    /** Returns the defaults: fsync, 64 MiB cache, 32 MiB memtable, 128 MiB kept free, 2–4 read threads. */
    public static RocksSettings of(Path directory) {
        int threads = Math.max(2, Math.min(4, Runtime.getRuntime().availableProcessors()));
        return new RocksSettings(directory, true, 64 << 20, 32 << 20, 128 << 20, threads);
    }

    public RocksSettings withFsync(boolean on) {
        return new RocksSettings(directory, on, cacheBytes, memtableBytes, minFreeBytes, readThreads);
    }

    public RocksSettings withCacheBytes(long bytes) {
        return new RocksSettings(directory, fsync, bytes, memtableBytes, minFreeBytes, readThreads);
    }

    public RocksSettings withMemtableBytes(long bytes) {
        return new RocksSettings(directory, fsync, cacheBytes, bytes, minFreeBytes, readThreads);
    }

    public RocksSettings withMinFreeBytes(long bytes) {
        return new RocksSettings(directory, fsync, cacheBytes, memtableBytes, bytes, readThreads);
    }
}
