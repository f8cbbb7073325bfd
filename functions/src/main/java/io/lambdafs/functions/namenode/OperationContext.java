package io.lambdafs.functions.namenode;

import io.lambdafs.functions.namenode.block.BlockPlaces;
import io.lambdafs.functions.namenode.block.Locations;
import io.lambdafs.functions.namenode.snapshot.Snapshotted;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.model.time.Scheduler;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The dependencies shared by all operations. Immutable.
 *
 * @param placement of the current epoch
 */
public record OperationContext(
        Resolver resolver,
        Locations locations,
        BlockPlaces places,
        Access access,
        Writes writes,
        IdAllocator inodeIds,
        Snapshotted snapshotted,
        Supplier<Placement> placement,
        int deployment,
        Scheduler scheduler,
        NameNodeSettings settings) {

    /** Returns the file at a path if cached by this instance; it may have changed since. */
    @Nullable
    public INode cachedFile(FsPath path) {
        return resolver.cachedFile(path);
    }

    /** Returns whether this instance may cache the entry of a path. */
    public boolean owns(FsPath path) {
        return placement.get().owner(path) == deployment;
    }
}
