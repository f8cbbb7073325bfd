package io.lambdafs.cli.cluster;

import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.datanode.block.BlockStoreProvider;
import io.lambdafs.datanode.memory.MemoryBlockStore;
import io.lambdafs.rpc.objects.ObjectPlace;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Buckets in this process, by the names {@code gs://in-memory/…}. Thread-safe. */
public final class MemoryBuckets implements BlockStoreProvider {
    private static final Map<ObjectPlace, MemoryBlockStore> BUCKETS = new ConcurrentHashMap<>();

    @Override
    public boolean takes(ObjectPlace place) {
        return place.scheme().equals("gs") && place.bucket().equals("in-memory");
    }

    @Override
    public BlockStore open(ObjectPlace place, Path spool) {
        return BUCKETS.computeIfAbsent(place, each -> new MemoryBlockStore());
    }
}
