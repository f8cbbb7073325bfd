package io.lambdafs.functions.cache;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.INode;
import org.jspecify.annotations.Nullable;

/** Something read from the store that is to be cached, in one of the three roles. Immutable. */
public sealed interface Fill {
    FsPath path();

    /** A directory on the way to something; a link of a file is not cached. */
    record Link(FsPath path, INode node) implements Fill {}

    /**
     * The INode of a path.
     *
     * @param content the file's bytes, not copied; null where they were not read
     */
    @SuppressWarnings("ArrayRecordComponent") // Handed on, never compared.
    record Entry(FsPath path, INode node, byte @Nullable [] content) implements Fill {}

    /** All children of a directory. */
    record Children(FsPath path, Listing listing) implements Fill {}
}
