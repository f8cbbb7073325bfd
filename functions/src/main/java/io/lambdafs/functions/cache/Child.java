package io.lambdafs.functions.cache;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.INode;
import org.jspecify.annotations.Nullable;

/**
 * A child as its parent's listing shows it after a change. Immutable.
 *
 * @param node null if the child is gone
 */
public record Child(FsPath path, @Nullable INode node) {}
