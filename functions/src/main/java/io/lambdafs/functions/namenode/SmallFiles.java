package io.lambdafs.functions.namenode;

import io.lambdafs.model.INode;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.WriterLease;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A file's rows beyond its INode: content kept with the metadata, blocks, writer lease, location. Stateless. */
public final class SmallFiles {
    private SmallFiles() {}

    /** The part of a content kept with the metadata that the file shows: all, unless it was cut. */
    static byte[] shown(INode file, byte[] content) {
        return file.size() < content.length ? Arrays.copyOf(content, (int) file.size()) : content;
    }

    /** Writes what a file's row points to. */
    static void put(INode file, byte @Nullable [] content, List<Mutation> mutations) {
        if (file.content() == INode.Content.INLINE && content != null) {
            mutations.add(new Mutation.Put(new Row(Rows.contentKey(file.id()), (Object) content)));
        }
    }

    /** Removes what a file has while it is being written. */
    static void closed(INode file, List<Mutation> mutations) {
        mutations.add(new Mutation.Delete(Rows.locationKey(file.id())));
        mutations.add(new Mutation.Delete(WriterLease.key(file.id())));
        mutations.add(new Mutation.Delete(Rows.writtenKey(file.id())));
    }

    /** Removes what any INode that goes may have besides. */
    public static void removeExtras(INode node, List<Mutation> mutations) {
        if (node.hasXattrs()) {
            mutations.add(new Mutation.Delete(Rows.xattrsKey(node.id())));
        }
    }

    /** Removes what belongs to a file that goes; its blocks, of which there may be many, are only noted. */
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
