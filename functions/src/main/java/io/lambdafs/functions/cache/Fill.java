package io.lambdafs.functions.cache;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.INode;
import org.jspecify.annotations.Nullable;

/** An item read from the store, to be cached in one of three roles. Immutable. */
public sealed interface Fill {
    FsPath path();

    /** A directory as a path component; links of files are not cached. */
    record Link(FsPath path, INode node) implements Fill {}

    /**
     * The INode of a path.
     *
     * @param content the file's bytes, not copied; null if not read
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record Entry(FsPath path, INode node, byte @Nullable [] content) implements Fill {}

    /** All children of a directory. */
    record Children(FsPath path, Listing listing) implements Fill {}
}
