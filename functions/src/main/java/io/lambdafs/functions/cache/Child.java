package io.lambdafs.functions.cache;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.INode;
import org.jspecify.annotations.Nullable;

/**
 * What the listing of the directory above shows at a path once a change is over. Immutable.
 *
 * @param node null where there is nothing any more
 */
public record Child(FsPath path, @Nullable INode node) {}
