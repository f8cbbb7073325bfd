package io.lambdafs.functions.namenode;

import io.lambdafs.model.Placement;
import io.lambdafs.model.Scheduler;

/** What the operations share. Immutable. */
public record OperationParts(
        Resolver resolver,
        Access access,
        Writes writes,
        IdAllocator inodeIds,
        Placement placement,
        int deployment,
        Scheduler scheduler,
        NameNodeSettings settings) {

    /** Whether this instance may cache the entry of a path. */
    boolean owns(io.lambdafs.model.FsPath path) {
        return placement.owner(path) == deployment;
    }
}
