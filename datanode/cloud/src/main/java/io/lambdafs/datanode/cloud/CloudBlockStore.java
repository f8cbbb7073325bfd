package io.lambdafs.datanode.cloud;

import io.lambdafs.datanode.block.BlockStore;
import java.util.List;

/** What the other clouds' block stores have in common: they end at no disk, and tell nothing of uploads. */
abstract class CloudBlockStore implements BlockStore {
    /** None: what an upload that was interrupted has sent shows in no list, and the cloud removes it after a week. */
    @Override
    public final List<UnfinishedUpload> unfinished(String prefix, String after, int limit) {
        return List.of();
    }

    @Override
    public final void drop(UnfinishedUpload upload) {
        // There is none.
    }

    @Override
    public final Space space() {
        return Space.UNLIMITED;
    }
}
