package io.lambdafs.systemtests.hdfs;

import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.datanode.memory.MemoryBlockStore;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.util.List;
import java.util.OptionalLong;

/** A block store that refuses, loses or changes what it holds, as it is told to. Thread-safe. */
final class FaultyBlocks implements BlockStore, BlockFaults {
    private final MemoryBlockStore behind = new MemoryBlockStore();
    private final Refusals refusals = new Refusals();
    private volatile long flipAt = -1;
    private volatile Runnable atEnd = () -> {};

    @Override
    public void refuse(int calls, ErrorCode code) {
        refusals.next(calls, code);
    }

    @Override
    public int refusalsLeft() {
        return refusals.left();
    }

    @Override
    public void flip(long position) {
        flipAt = position;
    }

    @Override
    public List<String> keys() {
        return behind.list("blocks/", "", 1_000).stream().map(StoredObject::key).toList();
    }

    @Override
    public void lose(String key) {
        behind.delete(key);
    }

    /** Ends what serves it too. */
    void whenClosed(Runnable end) {
        atEnd = end;
    }

    private void answer(String key) {
        ErrorCode code = refusals.take();
        if (code != null) {
            throw new FsException(code, "the store refuses " + key);
        }
    }

    @Override
    public String place() {
        return behind.place();
    }

    @Override
    public Upload upload(String key) {
        Upload upload = behind.upload(key);
        return new Upload() {
            @Override
            public void write(byte[] bytes, int offset, int length) {
                upload.write(bytes, offset, length);
            }

            @Override
            public void commit() {
                answer(key);
                upload.commit();
            }

            @Override
            public void close() {
                upload.close();
            }
        };
    }

    @Override
    public OptionalLong length(String key) {
        return behind.length(key);
    }

    @Override
    public int read(String key, long offset, byte[] into, int at, int length) {
        answer(key);
        int count = behind.read(key, offset, into, at, length);
        long place = flipAt - offset;
        if (flipAt >= 0 && place >= 0 && place < count) {
            into[at + (int) place] ^= 1;
        }
        return count;
    }

    @Override
    public boolean delete(String key) {
        return behind.delete(key);
    }

    @Override
    public List<StoredObject> list(String prefix, String after, int limit) {
        return behind.list(prefix, after, limit);
    }

    @Override
    public List<UnfinishedUpload> unfinished(String prefix, String after, int limit) {
        return behind.unfinished(prefix, after, limit);
    }

    @Override
    public void drop(UnfinishedUpload upload) {
        behind.drop(upload);
    }

    @Override
    public Space space() {
        return behind.space();
    }

    @Override
    public void close() {
        atEnd.run();
        behind.close();
    }
}
