package io.lambdafs.store.embedded;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.disk.FileTrouble;
import io.lambdafs.model.time.Scheduler;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;
import org.rocksdb.Status;
import org.rocksdb.WriteBatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wraps RocksDB with recovery from failed writes. A failed write may be half in the log, and RocksDB then accepts no
 * more; so the log is cut back to its last good end and the database reopened, read-only while the disk allows no more.
 * Reads from any thread; writes from one.
 */
final class Database implements AutoCloseable {
    /** Receives the rows of a scan. */
    interface Visitor {
        void row(byte[] key, byte[] value);
    }

    private static final Logger LOG = LoggerFactory.getLogger(Database.class);

    private static final long MIN_PAUSE_NANOS = 1_000_000_000;

    private final Scheduler scheduler;
    private final RocksSettings settings;
    private final DirectoryLock directory;
    private final WalWatermark watermark;
    private final ReadWriteLock use = new ReentrantReadWriteLock();
    private volatile @Nullable RocksHandle handle;
    private LogTail log;
    private WalWatermark.Position good;

    private long retryAt;
    private boolean closed;

    private Database(
            Scheduler scheduler,
            RocksSettings settings,
            DirectoryLock directory,
            WalWatermark watermark,
            RocksHandle handle)
            throws IOException {
        this.scheduler = scheduler;
        this.settings = settings;
        this.directory = directory;
        this.watermark = watermark;
        this.handle = handle;
        this.log = new LogTail(directory.directory(), settings.fsync());
        this.good = log.end(handle.db.getLatestSequenceNumber());
    }

    /** Opens or creates the database; fails {@code UNAVAILABLE} (directory) or {@code INTERNAL} (corrupt). */
    static Database open(Scheduler scheduler, RocksSettings settings) {
        DirectoryLock lock = DirectoryLock.of(settings.directory());
        try {
            NativeLibrary.load(lock.directory());
            Recovery.check(settings, lock.directory());
            RocksHandle handle = RocksHandle.open(settings, lock.directory(), false);
            return new Database(scheduler, settings, lock, WalWatermark.open(lock.directory()), handle);
        } catch (RocksDBException e) {
            lock.close();
            throw Recovery.unopened(lock.directory(), e);
        } catch (IOException e) {
            lock.close();
            throw FileTrouble.of("cannot use the store directory " + lock.directory(), e);
        } catch (RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    Path directory() {
        return directory.directory();
    }

    /** An action on the open database. */
    interface Step<T extends @Nullable Object> {
        T of(RocksHandle open) throws RocksDBException;
    }

    /** Runs an action on the open database, which is not closed meanwhile. */
    <T extends @Nullable Object> T with(Step<T> step) {
        use.readLock().lock();
        try {
            return step.of(open());
        } catch (RocksDBException e) {
            throw unreadable(e);
        } finally {
            use.readLock().unlock();
        }
    }

    byte @Nullable [] get(byte[] key) {
        return with(open -> open.db.get(open.anywhere, key));
    }

    /**
     * Reads values at one moment, null for missing ones.
     *
     * @param keys null for those known to be missing
     * @param onlyMemory whether to return null if any value would have to come from disk
     */
    @Nullable
    List<byte @Nullable []> getAll(List<byte @Nullable []> keys, boolean onlyMemory) {
        use.readLock().lock();
        try {
            RocksHandle open = open();
            ReadOptions options = onlyMemory ? open.inMemory : open.anywhere;
            long before = open.db.getLatestSequenceNumber();
            List<byte @Nullable []> values = getEach(open, options, keys);
            // Sequence numbers are published in order: the same one before and after means that all reads saw that
            // moment.
            return keys.size() == 1 || open.db.getLatestSequenceNumber() == before
                    ? values
                    : getFromSnapshot(open, options, keys);
        } catch (RocksDBException e) {
            if (onlyMemory && e.getStatus() != null && e.getStatus().getCode() == Status.Code.Incomplete) {
                return null;
            }
            throw unreadable(e);
        } finally {
            use.readLock().unlock();
        }
    }

    private static List<byte @Nullable []> getFromSnapshot(
            RocksHandle open, ReadOptions like, List<byte @Nullable []> keys) throws RocksDBException {
        Snapshot snapshot = open.db.getSnapshot();
        try (ReadOptions options = new ReadOptions(like).setSnapshot(snapshot)) {
            return getEach(open, options, keys);
        } finally {
            open.db.releaseSnapshot(snapshot);
        }
    }

    /** Reads one by one, because the batched call does not distinguish unreadable values from missing ones. */
    private static List<byte @Nullable []> getEach(RocksHandle open, ReadOptions options, List<byte @Nullable []> keys)
            throws RocksDBException {
        List<byte @Nullable []> values = new ArrayList<>(keys.size());
        for (byte[] key : keys) {
            values.add(key == null ? null : open.db.get(options, key));
        }
        return values;
    }

    /** Scans rows from one key up to another, exclusive, at one moment. */
    void scan(byte[] from, byte[] to, int limit, Visitor visitor) {
        use.readLock().lock();
        try (Slice end = new Slice(to);
                ReadOptions options = new ReadOptions().setIterateUpperBound(end);
                RocksIterator rows = open().db.newIterator(options)) {
            int left = limit;
            for (rows.seek(from); left > 0 && rows.isValid(); rows.next()) {
                visitor.row(rows.key(), rows.value());
                left--;
            }
            rows.status();
        } catch (RocksDBException e) {
            throw unreadable(e);
        } finally {
            use.readLock().unlock();
        }
    }

    /**
     * Writes a batch, as durably as configured. Fails with {@code STORE_FULL} or {@code UNAVAILABLE} if nothing of it
     * remains, with {@code CONNECTION_LOST} if something may.
     */
    void write(WriteBatch batch) {
        if ((handle == null || handle.readOnly) && scheduler.nanoTime() - retryAt >= 0) {
            reopen();
        }
        RocksHandle open = open();
        if (open.readOnly) {
            throw full("it has no room for the store to be opened for writing");
        }
        try {
            open.db.write(open.writes, batch);
            log.wrote(batch.getDataSize(), open.takeLogBegun());
            good = log.end(open.db.getLatestSequenceNumber());
            if (settings.fsync()) {
                watermark.advance(good);
            }
            log.pad();
        } catch (RocksDBException | IOException | RuntimeException e) {
            LOG.warn("A group of commits could not be written; the log is cut back: {}", e.toString());
            if (!reopen()) {
                throw new FsException(
                        ErrorCode.CONNECTION_LOST,
                        "the store " + directory() + " could neither write nor take back what it had written (" + e
                                + "): it may be found there when the store is opened again; check its disk",
                        e);
            }
            throw isFull(e) ? full(e.toString()) : FsException.unavailable("the store cannot write: " + e, e);
        }
    }

    private static boolean isFull(Exception e) {
        if (!(e instanceof RocksDBException rocks) || rocks.getStatus() == null) {
            return false;
        }
        String text = String.valueOf(rocks.getMessage());
        return rocks.getStatus().getSubCode() == Status.SubCode.NoSpace || FileTrouble.isFull(text);
    }

    FsException full(String why) {
        return new FsException(
                ErrorCode.STORE_FULL,
                "the store directory " + directory() + " is full (" + why
                        + "); nothing was changed; free some space there");
    }

    /**
     * Reopens after a failed write: for writing if possible, else read-only, else not until the next write.
     *
     * @return whether the log contains nothing but acknowledged writes
     */
    private boolean reopen() {
        use.writeLock().lock();
        long began = scheduler.nanoTime();
        boolean clean = false;
        try {
            if (handle != null) {
                handle.close();
                handle = null;
            }
            log.close();
            WalFiles.cutBack(directory(), good);
            clean = true;
            handle = openAsFarAsPossible();
            if (!handle.readOnly) {
                log = new LogTail(directory(), settings.fsync());
                good = log.end(handle.db.getLatestSequenceNumber());
                LOG.info("Store {} is open for writing again", directory());
            }
        } catch (RocksDBException | IOException | RuntimeException e) {
            LOG.error("Store {} cannot be opened; a later write tries again", directory(), e);
        } finally {
            // Blocks all reads, so retried only a small part of the time.
            long ended = scheduler.nanoTime();
            retryAt = ended + Math.max(MIN_PAUSE_NANOS, 3 * (ended - began));
            use.writeLock().unlock();
        }
        return clean;
    }

    private RocksHandle openAsFarAsPossible() throws RocksDBException {
        try {
            return RocksHandle.open(settings, directory(), false);
        } catch (RocksDBException e) {
            LOG.warn("Store {} is opened read-only: {}", directory(), e.toString());
            return RocksHandle.open(settings, directory(), true);
        }
    }

    /** Returns what prevents writes; empty if nothing does. Does not wait for a reopening. */
    Optional<String> trouble() {
        RocksHandle now = handle;
        if (now == null) {
            return Optional.of("the store " + directory() + " could not be opened after a failed write; see its log");
        }
        return now.readOnly
                ? Optional.of("the store " + directory() + " can only be read; free some space there")
                : Optional.empty();
    }

    private RocksHandle open() {
        if (handle == null) {
            throw FsException.unavailable(
                    "the store " + directory() + " is closed or could not be opened; see its log");
        }
        return handle;
    }

    private static FsException unreadable(RocksDBException e) {
        return new FsException(ErrorCode.INTERNAL, "the store cannot be read: " + e + "; check its disk", e);
    }

    @Override
    public void close() {
        use.writeLock().lock();
        try {
            if (handle != null) {
                handle.close();
                handle = null;
            }
            if (!closed) {
                closed = true;
                log.close();
                directory.close();
            }
        } finally {
            use.writeLock().unlock();
        }
    }
}
