package io.lambdafs.functions.cache;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.INode;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An item read from the store, to be cached in one of four roles. Immutable. */
public sealed interface Fill {
    FsPath path();

    /** Returns whether it is about the listing of the directory at its path. */
    default boolean isOfListing() {
        return this instanceof Children || this instanceof Names;
    }

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

    /**
     * Some names of a directory with what they stand for, for its listing if that is cached.
     *
     * @param children the child of each name; null if there is none
     */
    record Names(FsPath path, Map<String, @Nullable INode> children) implements Fill {
        /** Returns those that a change has made of a directory's names. */
        static Names of(FsPath directory, List<Child> changed) {
            Map<String, @Nullable INode> children = new HashMap<>();
            for (Child child : changed) {
                if (child.path().isChildOf(directory)) {
                    children.put(child.path().name(), child.node());
                }
            }
            return new Names(directory, children);
        }

        /** Returns what is left of them without those that have changed since. */
        Names without(Collection<String> names) {
            Map<String, @Nullable INode> left = new HashMap<>(children);
            left.keySet().removeAll(names);
            return new Names(path, left);
        }
    }
}
