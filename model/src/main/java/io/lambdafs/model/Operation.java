package io.lambdafs.model;

import org.jspecify.annotations.Nullable;

/**
 * What a client can ask. Sealed by families: every place that treats operations one by one implements the {@link Visitor} of all or of
 * a family, and the compiler names the ones it forgot. Immutable; byte arrays are not copied and must not be changed.
 *
 * @param <R> the reply of success
 */
public sealed interface Operation<R extends Reply> permits ReadOperation, WriteOperation {
    /** Longest content that a {@link FileOperation} carries, in bytes: what fits an HTTP call of 1 MiB. */
    int MAX_INLINE_BYTES = 512 << 10;
    /** Most replicas of a block, as in HDFS by default. */
    int MAX_REPLICATION = 512;
    /** Most blocks of a file. */
    int MAX_BLOCKS = 1 << 20;
    /** Most entries in one page of a listing. */
    int MAX_PAGE = 10_000;

    FsPath path();

    /** The directory whose hash chooses the deployment: the parent of the path, but of a listing the path itself. */
    default FsPath routingDirectory() {
        return path().parent();
    }

    /** Returns the other path that it concerns: the destination of a rename; null for all others. */
    default @Nullable FsPath destination() {
        return null;
    }

    OperationKind kind();

    /** Whether it may change the namespace. */
    boolean isWrite();

    /** Returns the type of the reply of success. */
    @SuppressWarnings("unchecked") // OperationTest holds the kinds' types against the operations'.
    default Class<R> replyType() {
        return (Class<R>) kind().replyType();
    }

    <T> T dispatch(Families<T> families);

    <T> T accept(Visitor<T> visitor);

    /** Which of HDFS's two renames. */
    enum RenameMode {
        /** {@code rename(src, dst)}: into dst if that is a directory; {@code Done(false)} where it cannot. */
        INTO,
        /** {@code rename(src, dst, NONE)}: dst must not exist; errors are typed. */
        STRICT,
        /** {@code rename(src, dst, OVERWRITE)}: replaces a file, or an empty directory by a directory. */
        OVERWRITE
    }

    /** One method for reads, and one for writes. */
    interface Families<T> {
        T read(ReadOperation<?> operation);

        T write(WriteOperation<?> operation);
    }

    /** One method per operation. */
    interface Visitor<T> extends ReadOperation.Visitor<T>, WriteOperation.Visitor<T> {}
}
