package io.lambdafs.datanode.cache;

import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.FileSlice;
import io.lambdafs.rpc.SystemScheduler;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A remote block store with copies of its objects on this machine's disk. Written objects are kept; an object that is
 * read twice without a copy is copied whole, which also reads ahead. Objects do not change, so a copy stays valid.
 * Thread-safe.
 */
public final class CachedBlockStore implements BlockStore {
    private static final Logger LOG = LoggerFactory.getLogger(CachedBlockStore.class);
    private static final int FETCHES = 2;
    private static final int MOST_WAITING = 64;
    private static final int REMEMBERED = 4_096;

    private final BlockStore remote;
    private final BlockCache cache;
    private final SystemScheduler fetching = new SystemScheduler("block-cache", FETCHES, MOST_WAITING);
    private final Map<String, Fetch> fetches = new ConcurrentHashMap<>();
    private final AtomicLong hits = new AtomicLong();
    private final AtomicLong misses = new AtomicLong();
    private final Map<String, Boolean> missedOnce = new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > REMEMBERED;
        }
    };

    private CachedBlockStore(BlockStore remote, BlockCache cache) {
        this.remote = remote;
        this.cache = cache;
    }

    /**
     * Puts a cache before a store, which is closed with it.
     *
     * @param directory of this process alone
     * @param limitBytes of all copies together
     * @throws FsException {@code UNAVAILABLE}: the directory cannot be used
     */
    public static CachedBlockStore of(BlockStore remote, Path directory, long limitBytes) {
        return new CachedBlockStore(remote, BlockCache.open(directory, limitBytes));
    }

    /** Returns the number of reads that a copy answered. */
    public long hits() {
        return hits.get();
    }

    /** Returns the number of reads that the store answered. */
    public long misses() {
        return misses.get();
    }

    /** Returns the size of all copies on disk. */
    public long usedBytes() {
        return cache.usedBytes();
    }

    @Override
    public String place() {
        return remote.place();
    }

    @Override
    public Upload upload(String key) {
        return new CachingUpload(remote.upload(key), cache.draft(key));
    }

    @Override
    public OptionalLong length(String key) {
        return remote.length(key);
    }

    @Override
    public int read(String key, long offset, byte[] into, int at, int length) {
        int count = cache.read(key, offset, into, at, length);
        if (count < 0) {
            Fetch fetch = fetches.get(key);
            count = fetch == null ? -1 : fetch.read(offset, into, at, length);
        }
        if (count >= 0) {
            hits.incrementAndGet();
            return count;
        }
        misses.incrementAndGet();
        count = remote.read(key, offset, into, at, length);
        if (isMissedAgain(key)) {
            fetch(key);
        }
        return count;
    }

    @Override
    public @Nullable FileSlice slice(String key, long offset, int length) {
        FileSlice copy = cache.slice(key, offset, length);
        if (copy != null) {
            hits.incrementAndGet();
        }
        return copy;
    }

    private boolean isMissedAgain(String key) {
        synchronized (missedOnce) {
            return missedOnce.put(key, true) != null;
        }
    }

    private void fetch(String key) {
        if (fetches.size() >= FETCHES + MOST_WAITING || fetches.containsKey(key) || cache.contains(key)) {
            return;
        }
        BlockCache.@Nullable Draft draft = cache.draft(key);
        if (draft == null) {
            return;
        }
        Fetch fetch = new Fetch(remote, key, draft, () -> fetches.remove(key));
        if (fetches.putIfAbsent(key, fetch) != null) {
            draft.close();
            return;
        }
        try {
            fetching.execute(fetch);
        } catch (FsException full) {
            LOG.debug("{} is not copied: {}", key, full.getMessage());
            fetches.remove(key, fetch);
            draft.close();
        }
    }

    @Override
    public boolean dropCopy(String key) {
        boolean dropped = cache.drop(key);
        if (dropped) {
            LOG.warn("the copy of {} in the block cache was damaged and is dropped", key);
        }
        return dropped;
    }

    @Override
    public boolean delete(String key) {
        cache.drop(key);
        return remote.delete(key);
    }

    @Override
    public List<StoredObject> list(String prefix, String after, int limit) {
        return remote.list(prefix, after, limit);
    }

    @Override
    public List<UnfinishedUpload> unfinished(String prefix, String after, int limit) {
        return remote.unfinished(prefix, after, limit);
    }

    @Override
    public void drop(UnfinishedUpload upload) {
        remote.drop(upload);
    }

    @Override
    public Space space() {
        return remote.space();
    }

    @Override
    public void close() {
        fetching.close();
        remote.close();
    }

    /** An upload that also writes a copy, as long as there is room for it. */
    private record CachingUpload(Upload remote, BlockCache.@Nullable Draft copy) implements Upload {
        @Override
        public void write(byte[] bytes, int offset, int length) {
            remote.write(bytes, offset, length);
            if (copy != null) {
                copy.write(bytes, offset, length);
            }
        }

        @Override
        public void commit() {
            remote.commit();
            if (copy != null) {
                copy.commit();
            }
        }

        @Override
        public void close() {
            remote.close();
            if (copy != null) {
                copy.close();
            }
        }
    }
}
