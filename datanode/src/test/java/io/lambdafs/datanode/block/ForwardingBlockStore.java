package io.lambdafs.datanode.block;

import java.util.List;
import java.util.OptionalLong;

/** A store that hands everything on to another one, for tests that change some of it. */
public class ForwardingBlockStore implements BlockStore {
    private final BlockStore behind;

    public ForwardingBlockStore(BlockStore behind) {
        this.behind = behind;
    }

    @Override
    public String place() {
        return behind.place();
    }

    @Override
    public Upload upload(String key) {
        return behind.upload(key);
    }

    @Override
    public OptionalLong length(String key) {
        return behind.length(key);
    }

    @Override
    public int read(String key, long offset, byte[] into, int at, int length) {
        return behind.read(key, offset, into, at, length);
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
        behind.close();
    }
}
