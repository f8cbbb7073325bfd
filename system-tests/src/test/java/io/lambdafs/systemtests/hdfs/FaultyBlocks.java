package io.lambdafs.systemtests.hdfs;

import io.lambdafs.datanode.block.ForwardingBlockStore;
import io.lambdafs.datanode.memory.MemoryBlockStore;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.util.List;

/** A block store that refuses, loses or changes what it holds, as it is told to. Thread-safe. */
final class FaultyBlocks extends ForwardingBlockStore implements BlockFaults {
    private final Refusals refusals = new Refusals();
    private volatile long flipAt = -1;
    private volatile Runnable atEnd = () -> {};

    FaultyBlocks() {
        super(new MemoryBlockStore());
    }

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
        return list("blocks/", "", 1_000).stream().map(StoredObject::key).toList();
    }

    @Override
    public void lose(String key) {
        delete(key);
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
    public Upload upload(String key) {
        Upload upload = super.upload(key);
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
    public int read(String key, long offset, byte[] into, int at, int length) {
        answer(key);
        int count = super.read(key, offset, into, at, length);
        long place = flipAt - offset;
        if (flipAt >= 0 && place >= 0 && place < count) {
            into[at + (int) place] ^= 1;
        }
        return count;
    }

    @Override
    public void close() {
        atEnd.run();
        super.close();
    }
}
