package io.lambdafs.functions.instance;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import java.util.List;

/**
 * The operations of a rehearsal's round, of several shapes: code compiled for one alone would be thrown away at the first
 * other one. Immutable.
 *
 * @param folder where it works
 */
record Script(FsPath folder) {
    private static final int BLOCK_BYTES = 1 << 20;

    private FsPath deep() {
        return folder.child("a").child("b");
    }

    private static Operation<?> create(FsPath file, int bytes) {
        return new FileOperation.Create(file, 0600, true, true, 1, BLOCK_BYTES, new byte[bytes], null);
    }

    /** Returns the writes that make what is read. */
    List<Operation<?>> makes() {
        return List.of(
                new NamespaceOperation.Mkdirs(deep(), 0700, true),
                create(folder.child("file"), 8),
                create(deep().child("larger"), 2_000),
                new AttributeOperation.SetPermission(folder.child("file"), 0640));
    }

    /** Returns the reads: hits, misses, names that do not exist, and listings. */
    List<Operation<?>> reads() {
        return List.of(
                new ReadOperation.Stat(FsPath.of("/")),
                new ReadOperation.Stat(folder.child("file")),
                new ReadOperation.Stat(deep().child("larger")),
                new ReadOperation.Stat(folder.child("none")),
                new ReadOperation.Open(folder.child("file")),
                new ReadOperation.Open(deep().child("larger")),
                new ReadOperation.ListPage(folder, "", 10),
                new ReadOperation.ListPage(folder, "a", 1),
                new ReadOperation.ListPage(deep(), "", 1_000));
    }

    /** Returns the writes that remove it again. */
    List<Operation<?>> removes() {
        return List.of(
                new NamespaceOperation.Rename(folder.child("file"), deep().child("moved"), Operation.RenameMode.STRICT),
                new NamespaceOperation.Delete(deep().child("moved"), false),
                new NamespaceOperation.Delete(folder.child("a"), true));
    }
}
