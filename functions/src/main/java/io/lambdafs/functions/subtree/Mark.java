package io.lambdafs.functions.subtree;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.INode;

/**
 * A directory to be marked, by its place.
 *
 * @param parent its directory, as resolved; the root stands for its own parent
 */
public record Mark(FsPath path, INode parent) {
    long parentId() {
        return path.isRoot() ? 0 : parent.id();
    }
}
