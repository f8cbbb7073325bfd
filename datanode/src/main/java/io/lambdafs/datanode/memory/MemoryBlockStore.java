package io.lambdafs.datanode.memory;

import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/** Keeps objects in memory, gone with its process. Thread-safe. */
public final class MemoryBlockStore implements BlockStore {
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Entry(byte[] content, long modifiedMillis) {}

    private final ConcurrentSkipListMap<String, Entry> objects = new ConcurrentSkipListMap<>();
    private final ConcurrentSkipListMap<String, MemoryUpload> uploads = new ConcurrentSkipListMap<>();
    private final AtomicLong lastUpload = new AtomicLong();

    @Override
    public String place() {
        return "memory";
    }

    @Override
    public Upload upload(String key) {
        MemoryUpload upload = new MemoryUpload(key);
        uploads.put(upload.id, upload);
        return upload;
    }

    @Override
    public OptionalLong length(String key) {
        Entry entry = objects.get(key);
        return entry == null ? OptionalLong.empty() : OptionalLong.of(entry.content().length);
    }

    @Override
    public int read(String key, long offset, byte[] into, int at, int length) {
        Entry entry = objects.get(key);
        if (entry == null) {
            throw new FsException(ErrorCode.BLOCK_MISSING, "there is no object " + key + " in memory");
        }
        int count = (int) Math.max(0, Math.min(length, entry.content().length - offset));
        System.arraycopy(entry.content(), (int) Math.min(offset, entry.content().length), into, at, count);
        return count;
    }

    @Override
    public boolean delete(String key) {
        return objects.remove(key) != null;
    }

    @Override
    public List<StoredObject> list(String prefix, String after, int limit) {
        return objects.tailMap(after, false).entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(prefix))
                .limit(limit)
                .map(MemoryBlockStore::stored)
                .toList();
    }

    private static StoredObject stored(Map.Entry<String, Entry> entry) {
        return new StoredObject(
                entry.getKey(),
                entry.getValue().content().length,
                entry.getValue().modifiedMillis());
    }

    @Override
    public List<UnfinishedUpload> unfinished(String prefix, String after, int limit) {
        return uploads.values().stream()
                .filter(each -> each.key.startsWith(prefix) && each.key.compareTo(after) > 0)
                .limit(limit)
                .map(each -> new UnfinishedUpload(each.key, each.id))
                .toList();
    }

    @Override
    public void drop(UnfinishedUpload upload) {
        uploads.remove(upload.id());
    }

    @Override
    public Space space() {
        return Space.UNLIMITED;
    }

    @Override
    public void close() {}

    private final class MemoryUpload implements Upload {
        private final String key;
        private final String id;
        private final ByteArrayOutputStream written = new ByteArrayOutputStream();

        MemoryUpload(String key) {
            this.key = key;
            this.id = key + "#" + lastUpload.incrementAndGet();
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            written.write(bytes, offset, length);
        }

        @Override
        public void commit() {
            if (!uploads.containsKey(id)) {
                throw FsException.unavailable("the upload of " + key + " was dropped: write it again");
            }
            Entry entry = new Entry(written.toByteArray(), System.currentTimeMillis());
            if (objects.putIfAbsent(key, entry) != null) {
                throw new FsException(ErrorCode.ALREADY_EXISTS, "the object " + key + " is in memory already");
            }
            uploads.remove(id);
        }

        @Override
        public void close() {
            uploads.remove(id);
        }
    }
}
