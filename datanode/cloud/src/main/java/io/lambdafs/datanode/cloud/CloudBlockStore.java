package io.lambdafs.datanode.cloud;

import io.lambdafs.datanode.block.BlockStore;
import java.util.List;

/** The common part of the other clouds' block stores: they have no disk to fill, and report no uploads. */
abstract class CloudBlockStore implements BlockStore {
    /** Returns none: the remains of an interrupted upload are in no list, and the cloud removes them after a week. */
    @Override
    public final List<UnfinishedUpload> unfinished(String prefix, String after, int limit) {
        return List.of();
    }

    @Override
    public final void drop(UnfinishedUpload upload) {
        // There are none.
    }

    @Override
    public final Space space() {
        return Space.UNLIMITED;
    }
}
