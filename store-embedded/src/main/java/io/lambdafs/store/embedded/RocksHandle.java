package io.lambdafs.store.embedded;

import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicBoolean;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.IndexType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.MemTableInfo;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.ReadTier;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteOptions;

/** An open RocksDB with its native objects. Closing frees them; it must not be in use then. */
final class RocksHandle implements AutoCloseable {
    /** Few, because few threads read, and a block may take at most one shard of the cache. */
    private static final int CACHE_SHARD_BITS = 2;

    final RocksDB db;
    final boolean readOnly;
    final ReadOptions anywhere = new ReadOptions();
    /** Reads that fail with {@code Incomplete} instead of going to disk. */
    final ReadOptions inMemory = new ReadOptions().setReadTier(ReadTier.BLOCK_CACHE_TIER);

    final WriteOptions writes;
    private final LogWatch logs;
    private final List<AutoCloseable> natives;

    private RocksHandle(RocksDB db, boolean readOnly, WriteOptions writes, LogWatch logs, List<AutoCloseable> natives) {
        this.db = db;
        this.logs = logs;
        this.readOnly = readOnly;
        this.writes = writes;
        this.natives = natives;
    }

    static RocksHandle open(RocksSettings settings, Path directory, boolean readOnly) throws RocksDBException {
        Cache cache = new LRUCache(settings.cacheBytes(), CACHE_SHARD_BITS);
        BloomFilter filter = new BloomFilter(10);
        Options options = options(settings, cache, filter);
        WriteOptions writes = new WriteOptions().setSync(settings.fsync());
        LogWatch logs = new LogWatch();
        options.setListeners(List.of(logs));
        List<AutoCloseable> natives = List.of(writes, options, logs, filter, cache);
        try {
            RocksDB db = readOnly
                    ? RocksDB.openReadOnly(options, directory.toString())
                    : RocksDB.open(options, directory.toString());
            return new RocksHandle(db, readOnly, writes, logs, natives);
        } catch (RocksDBException e) {
            free(natives);
            throw e;
        }
    }

    private static void free(List<AutoCloseable> natives) {
        for (AutoCloseable object : natives) {
            try {
                object.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Returns whether a new log was begun since the last call. */
    boolean takeLogBegun() {
        return logs.begun.getAndSet(false);
    }

    /** Notices new logs, begun with every memtable: by the writing thread, or by RocksDB's own during recovery. */
    private static final class LogWatch extends AbstractEventListener {
        final AtomicBoolean begun = new AtomicBoolean();

        LogWatch() {
            super(EnabledEventCallback.ON_MEMTABLE_SEALED);
        }

        @Override
        public void onMemTableSealed(MemTableInfo sealed) {
            begun.set(true);
        }
    }

    /** Returns options that track logs in the manifest, so that a missing or shortened log is noticed. */
    private static Options withKnownLogs() {
        Properties names = new Properties();
        names.setProperty("track_and_verify_wals_in_manifest", "true");
        try (DBOptions database = DBOptions.getDBOptionsFromProps(names);
                ColumnFamilyOptions rows = new ColumnFamilyOptions()) {
            return new Options(database, rows);
        }
    }

    private static Options options(RocksSettings settings, Cache cache, BloomFilter filter) {
        return withKnownLogs()
                .setCreateIfMissing(true)
                // The tail of the log that was never acknowledged may be torn; what was acknowledged is checked
                // separately.
                .setWalRecoveryMode(WALRecoveryMode.PointInTimeRecovery)
                .setWriteBufferSize(settings.memtableBytes())
                .setMaxWriteBufferNumber(3)
                // Most lookups of writes miss: the name being created.
                .setMemtablePrefixBloomSizeRatio(0.1)
                .setMemtableWholeKeyFiltering(true)
                .setMaxBackgroundJobs(2)
                .setCompressionType(CompressionType.LZ4_COMPRESSION)
                .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                .setMaxLogFileSize(1 << 20)
                .setKeepLogFileNum(2)
                .setTableFormatConfig(new BlockBasedTableConfig()
                        .setBlockCache(cache)
                        .setFilterPolicy(filter)
                        // Partitioned: a whole table's filter may exceed a shard of the cache, and every lookup would
                        // then read it all from disk.
                        .setIndexType(IndexType.kTwoLevelIndexSearch)
                        .setPartitionFilters(true)
                        .setCacheIndexAndFilterBlocks(true)
                        .setCacheIndexAndFilterBlocksWithHighPriority(true)
                        .setPinTopLevelIndexAndFilter(true)
                        .setPinL0FilterAndIndexBlocksInCache(true));
    }

    @Override
    public void close() {
        anywhere.close();
        inMemory.close();
        db.close();
        free(natives);
    }
}
