package io.lambdafs.functions.namenode.block;

import io.lambdafs.model.inode.INode;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.block.WriterLease;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Handles a file's rows beyond its INode: inline content, blocks, writer lease, location. Stateless. */
public final class SmallFiles {
    private SmallFiles() {}

    /** Returns the part of an inline content that the file shows: all, unless truncated. */
    public static byte[] shown(INode file, byte[] content) {
        return file.size() < content.length ? Arrays.copyOf(content, (int) file.size()) : content;
    }

    /** Writes the rows that a file's INode refers to. */
    public static void put(INode file, byte @Nullable [] content, List<Mutation> mutations) {
        if (file.content() == INode.Content.INLINE && content != null) {
            mutations.add(new Mutation.Put(new Row(Rows.contentKey(file.id()), (Object) content)));
        }
    }

    /** Removes the rows a file has only while being written. */
    public static void closed(INode file, List<Mutation> mutations) {
        mutations.add(new Mutation.Delete(Rows.locationKey(file.id())));
        mutations.add(new Mutation.Delete(WriterLease.key(file.id())));
        mutations.add(new Mutation.Delete(Rows.writtenKey(file.id())));
    }

    /** Removes the other rows that any removed INode may have. */
    public static void removeExtras(INode node, List<Mutation> mutations) {
        if (node.hasXattrs()) {
            mutations.add(new Mutation.Delete(Rows.xattrsKey(node.id())));
        }
        if (node.isSnapshottable()) {
            mutations.add(new Mutation.Delete(Rows.snapshottableKey(node.id())));
        }
    }

    /** Removes the rows of a removed file; its blocks, possibly many, are only listed for later. */
    public static void remove(@Nullable INode file, List<Mutation> mutations) {
        if (file == null || file.isDirectory()) {
            return;
        }
        removeExtras(file, mutations);
        switch (file.content()) {
            case INLINE -> mutations.add(new Mutation.Delete(Rows.contentKey(file.id())));
            case NONE -> mutations.add(new Mutation.Delete(Rows.locationKey(file.id())));
            case WRITING -> {
                closed(file, mutations);
                mutations.add(new Mutation.Delete(Rows.contentKey(file.id())));
                mutations.add(new Mutation.Put(Rows.detachedFile(file)));
            }
            case BLOCKS -> mutations.add(new Mutation.Put(Rows.detachedFile(file)));
            case ABSENT -> {}
        }
    }
}
