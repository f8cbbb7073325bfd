package io.lambdafs.hammer.trace;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;

/**
 * Maps each record to the operation to send. Recorded operations succeeded: a new file replaces an old one and creates
 * its directories, and a removal is recursive. Immutable.
 */
final class TraceOperations {
    private static final int FILE_MODE = 0644;
    private static final int DIRECTORY_MODE = 0755;
    private static final int REPLICATION = 1;
    private static final long BLOCK_BYTES = 128L << 20;
    /** Entries per listing: HDFS too sends, and logs, a call for each thousand. */
    private static final int PAGE = 1_000;

    private final FsPath under;
    private final int smallFileBytes;

    TraceOperations(FsPath under, int smallFileBytes) {
        this.under = under;
        this.smallFileBytes = smallFileBytes;
    }

    /** @throws io.lambdafs.model.FsException if a path is too long below the directory that stands for the root */
    Operation<?> of(TraceRecord record) {
        FsPath path = at(record.path());
        return switch (record.kind()) {
            case READ -> new ReadOperation.Open(path);
            case STAT -> new ReadOperation.Stat(path);
            case LS -> new ReadOperation.ListPage(path, "", PAGE);
            case CREATE -> create(path, record.size());
            case MKDIRS -> directory(path);
            case DELETE -> new NamespaceOperation.Delete(path, true);
            case MV -> rename(path, record);
        };
    }

    NamespaceOperation.Mkdirs directory(FsPath path) {
        return new NamespaceOperation.Mkdirs(path, DIRECTORY_MODE, true);
    }

    /** Returns the creation of an empty file that must exist: an existing one stays. */
    FileOperation.Create presumed(FsPath path) {
        return new FileOperation.Create(path, FILE_MODE, false, true, REPLICATION, BLOCK_BYTES, new byte[0], null);
    }

    /** Returns the creation of a file of a size; its content is zeros if it is small. */
    FileOperation.Create create(FsPath path, long size) {
        boolean small = size <= smallFileBytes;
        return new FileOperation.Create(
                path,
                FILE_MODE,
                true,
                true,
                REPLICATION,
                BLOCK_BYTES,
                small ? new byte[(int) size] : null,
                small ? null : new FileOperation.Imported(size, 0));
    }

    private static NamespaceOperation.Rename rename(FsPath path, TraceRecord record, FsPath destination) {
        return new NamespaceOperation.Rename(
                path, destination, record.overwrite() ? Operation.RenameMode.OVERWRITE : Operation.RenameMode.INTO);
    }

    private NamespaceOperation.Rename rename(FsPath path, TraceRecord record) {
        FsPath destination = record.destination();
        if (destination == null) {
            throw new IllegalStateException("a move without a destination: " + record);
        }
        return rename(path, record, at(destination));
    }

    /** Returns the path below the directory that stands for the root. */
    FsPath at(FsPath path) {
        if (under.isRoot()) {
            return path;
        }
        return path.isRoot() ? under : FsPath.of(under.toString() + path);
    }
}
