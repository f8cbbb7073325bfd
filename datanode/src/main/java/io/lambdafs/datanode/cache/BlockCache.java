package io.lambdafs.datanode.cache;

import io.lambdafs.model.FsException;
import io.lambdafs.model.disk.PrivateFolder;
import io.lambdafs.rpc.FileSlice;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies of objects in files of a directory, with a maximum total size that includes unfinished copies: the least
 * recently used go first. They survive a restart; nothing is synced, because every read of a copy checks it and drops a
 * damaged one. Thread-safe.
 */
final class BlockCache {
    private static final Logger LOG = LoggerFactory.getLogger(BlockCache.class);
    private static final String DRAFT = ".draft";
    /** Stands for '/' in file names; no key has it. */
    private static final char SLASH = '+';

    private static final Set<StandardOpenOption> NEW =
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
    private static final long TOUCH_MILLIS = 60_000;

    private final Path directory;
    private final long limitBytes;
    private final AtomicLong drafts = new AtomicLong();
    /** In order of last use. */
    private final LinkedHashMap<String, Entry> entries = new LinkedHashMap<>(64, 0.75f, true);

    private long usedBytes;

    /** A copy. */
    private static final class Entry {
        final long bytes;
        /** The file's time, which gives the order of use after a restart. */
        volatile long touchedMillis;

        Entry(long bytes, long touchedMillis) {
            this.bytes = bytes;
            this.touchedMillis = touchedMillis;
        }
    }

    private BlockCache(Path directory, long limitBytes) {
        this.directory = directory;
        this.limitBytes = limitBytes;
    }

    /**
     * Opens a directory with its existing copies.
     *
     * @param directory of this process alone; created if it does not exist
     * @throws FsException {@code UNAVAILABLE}: the directory cannot be used
     */
    static BlockCache open(Path directory, long limitBytes) {
        BlockCache cache = new BlockCache(directory, limitBytes);
        try {
            PrivateFolder.make(directory).ifPresent(why -> LOG.warn("{}", why));
            cache.find();
        } catch (IOException e) {
            throw FsException.unavailable(
                    "cannot use the directory " + directory + " for the block cache: " + e
                            + "; check its owner, or switch" + " the cache off",
                    e);
        }
        return cache;
    }

    private void find() throws IOException {
        record Found(Path file, long bytes, long millis) {}

        List<Found> found = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                if (file.toString().endsWith(DRAFT)) {
                    Files.deleteIfExists(file);
                } else {
                    found.add(new Found(
                            file,
                            Files.size(file),
                            Files.getLastModifiedTime(file).toMillis()));
                }
            }
        }
        found.sort(Comparator.comparingLong(Found::millis));
        synchronized (this) {
            for (Found each : found) {
                entries.put(key(each.file()), new Entry(each.bytes(), each.millis()));
                usedBytes += each.bytes();
            }
            makeRoom(0);
        }
    }

    private Path file(String key) {
        return directory.resolve(key.replace('/', SLASH));
    }

    private static String key(Path file) {
        return String.valueOf(file.getFileName()).replace(SLASH, '/');
    }

    /** Returns the size of all copies, unfinished ones included. */
    synchronized long usedBytes() {
        return usedBytes;
    }

    synchronized boolean contains(String key) {
        return entries.containsKey(key);
    }

    /** Reads a range of a copy; returns -1 if there is none. */
    int read(String key, long offset, byte[] into, int at, int length) {
        Entry entry;
        synchronized (this) {
            entry = entries.get(key);
        }
        if (entry == null) {
            return -1;
        }
        try (FileChannel channel = FileChannel.open(file(key), StandardOpenOption.READ)) {
            int count = readFully(channel, offset, ByteBuffer.wrap(into, at, length));
            touch(key, entry);
            return count;
        } catch (IOException e) {
            if (!(e instanceof NoSuchFileException)) {
                LOG.warn("a copy in the block cache cannot be read and is dropped: {}", e.toString());
            }
            drop(key);
            return -1;
        }
    }

    /** Opens a range of a copy; returns null if there is none, or it is too short. */
    @Nullable
    FileSlice slice(String key, long offset, int length) {
        Entry entry;
        synchronized (this) {
            entry = entries.get(key);
        }
        if (entry == null) {
            return null;
        }
        try {
            touch(key, entry);
            return FileSlice.open(file(key), offset, length);
        } catch (IOException e) {
            LOG.debug("{} is not sent from its copy: {}", key, e.toString());
            return null;
        }
    }

    static int readFully(FileChannel channel, long offset, ByteBuffer into) throws IOException {
        int before = into.remaining();
        long position = offset;
        int count = 0;
        while (into.hasRemaining() && count >= 0) {
            count = channel.read(into, position);
            position += Math.max(0, count);
        }
        return before - into.remaining();
    }

    private void touch(String key, Entry entry) throws IOException {
        long now = System.currentTimeMillis();
        if (now - entry.touchedMillis > TOUCH_MILLIS) {
            entry.touchedMillis = now;
            Files.setLastModifiedTime(file(key), FileTime.fromMillis(now));
        }
    }

    /** Drops a copy; returns whether there was one. */
    boolean drop(String key) {
        synchronized (this) {
            Entry entry = entries.remove(key);
            if (entry == null) {
                return false;
            }
            usedBytes -= entry.bytes;
        }
        delete(file(key));
        return true;
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.warn("{} stays in the block cache: {}", file, e.toString());
        }
    }

    /** Starts a copy; returns null if it cannot be made. */
    @Nullable
    Draft draft(String key) {
        Path file = directory.resolve(drafts.incrementAndGet() + DRAFT);
        try {
            return new Draft(key, file, FileChannel.open(file, NEW, PrivateFolder.forFile(file)));
        } catch (IOException e) {
            LOG.warn("nothing is added to the block cache: {}", e.toString());
            return null;
        }
    }

    /** Reserves room; returns false if unfinished copies take all of it. */
    private boolean reserve(long bytes) {
        synchronized (this) {
            if (!makeRoom(bytes)) {
                return false;
            }
            usedBytes += bytes;
            return true;
        }
    }

    /** Under the lock, so that a copy's file is gone before another takes its room. */
    private boolean makeRoom(long bytes) {
        Iterator<Map.Entry<String, Entry>> oldest = entries.entrySet().iterator();
        Map<String, Entry> gone = new HashMap<>();
        long free = limitBytes - usedBytes;
        while (free < bytes && oldest.hasNext()) {
            Map.Entry<String, Entry> next = oldest.next();
            free += next.getValue().bytes;
            gone.put(next.getKey(), next.getValue());
        }
        if (free < bytes) {
            return false;
        }
        gone.forEach((key, entry) -> {
            entries.remove(key);
            usedBytes -= entry.bytes;
            delete(file(key));
        });
        return true;
    }

    private synchronized void giveBack(long bytes) {
        usedBytes -= bytes;
    }

    /** An unfinished copy. Written by one thread at a time; any thread may read the written part. */
    final class Draft implements AutoCloseable {
        private final String key;
        private final Path file;
        private final FileChannel channel;
        private volatile long written;
        private boolean over;

        private Draft(String key, Path file, FileChannel channel) {
            this.key = key;
            this.file = file;
            this.channel = channel;
        }

        /** Adds bytes; returns false, and ends this copy, if there is no room for them or they cannot be written. */
        boolean write(byte[] bytes, int offset, int length) {
            if (over || !reserve(length)) {
                close();
                return false;
            }
            try {
                ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, length);
                long position = written;
                while (buffer.hasRemaining()) {
                    position += channel.write(buffer, position);
                }
                written = position;
                return true;
            } catch (IOException e) {
                LOG.warn("a copy is not added to the block cache: {}", e.toString());
                giveBack(length);
                close();
                return false;
            }
        }

        long written() {
            return written;
        }

        /** Reads from the written part; returns -1 if the copy has ended. */
        int read(long offset, byte[] into, int at, int length) {
            try {
                int most = (int) Math.min(length, Math.max(0, written - offset));
                return readFully(channel, offset, ByteBuffer.wrap(into, at, most));
            } catch (IOException ended) {
                return -1;
            }
        }

        /** Makes it a copy of the whole object. */
        void commit() {
            if (over) {
                return;
            }
            over = true;
            try {
                channel.close();
                synchronized (BlockCache.this) {
                    if (entries.containsKey(key)) {
                        usedBytes -= written;
                        Files.deleteIfExists(file);
                    } else {
                        Files.move(file, file(key), StandardCopyOption.ATOMIC_MOVE);
                        entries.put(key, new Entry(written, System.currentTimeMillis()));
                    }
                }
            } catch (IOException e) {
                LOG.warn("a copy is not added to the block cache: {}", e.toString());
                giveBack(written);
                delete(file);
            }
        }

        /** Drops it unless it was committed. Idempotent. */
        @Override
        public void close() {
            if (over) {
                return;
            }
            over = true;
            try {
                channel.close();
            } catch (IOException e) {
                LOG.warn("a draft in the block cache cannot be closed: {}", e.toString());
            }
            delete(file);
            giveBack(written);
        }
    }
}
