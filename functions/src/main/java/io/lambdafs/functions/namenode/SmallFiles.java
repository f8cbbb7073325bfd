package io.lambdafs.functions.namenode;

import io.lambdafs.model.INode;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Contents kept with the metadata. Stateless. */
public final class SmallFiles {
    private SmallFiles() {}

    /** Writes what a file's row points to. */
    static void put(INode file, byte @Nullable [] content, List<Mutation> mutations) {
        if (file.content() == INode.Content.INLINE && content != null) {
            mutations.add(new Mutation.Put(new Row(Rows.contentKey(file.id(), file.contentId()), (Object) content)));
        }
    }

    /** Removes what a file's row points to, and what points to it. */
    public static void remove(@Nullable INode file, List<Mutation> mutations) {
        if (file != null && file.content() == INode.Content.INLINE) {
            mutations.add(new Mutation.Delete(Rows.contentKey(file.id(), file.contentId())));
        } else if (file != null && file.isFile() && file.content() == INode.Content.NONE) {
            mutations.add(new Mutation.Delete(Rows.locationKey(file.id())));
        }
    }
}
