package io.lambdafs.model.operation;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.WireWriter;
import org.jspecify.annotations.Nullable;

/**
 * A request that a client can send. Sealed by families: code that handles operations individually implements the {@link
 * Visitor} of all or of one family, so the compiler finds omissions. Immutable; byte arrays are not copied and must not
 * be changed.
 *
 * @param <R> the reply on success
 */
public sealed interface Operation<R extends Reply> permits ReadOperation, WriteOperation {
    /** Maximum content of a {@link FileOperation}, in bytes: it fits a 1 MiB HTTP call. */
    int MAX_INLINE_BYTES = 512 << 10;
    /** Maximum number of replicas of a block, HDFS's default. */
    int MAX_REPLICATION = 512;
    /** Maximum number of blocks in a file. */
    int MAX_BLOCKS = 1 << 20;
    /** Maximum size of a block, in bytes: no block store keeps a larger one. */
    long MAX_BLOCK_BYTES = 16L << 30;
    /** Maximum length of a file, in bytes. */
    long MAX_FILE_BYTES = MAX_BLOCKS * MAX_BLOCK_BYTES;
    /** Maximum number of entries in one page of a listing. */
    int MAX_PAGE = 10_000;

    FsPath path();

    /** Returns the directory whose hash chooses the deployment: the path's parent, or for a listing the path itself. */
    default FsPath routingDirectory() {
        return path().parent();
    }

    /** Returns the destination of a rename; null for all other operations. */
    default @Nullable FsPath destination() {
        return null;
    }

    OperationKind kind();

    /** Returns its first byte on the wire: the number of its kind, or of the form that has all of its fields. */
    default int wireNumber() {
        return kind().number();
    }

    /** Writes its fields without the path, as its kind reads them. */
    void writeFields(WireWriter out);

    /**
     * Encodes it: its number, its path, its fields. Paths travel as text and are parsed and checked again by the
     * receiver.
     */
    default void write(WireWriter out) {
        out.writeByte(wireNumber());
        out.writeString(path().toString());
        writeFields(out);
    }

    /** Returns whether it may change the namespace. */
    boolean isWrite();

    /** Returns the reply type on success. */
    @SuppressWarnings("unchecked") // OperationTest holds the kinds' types against the operations'.
    default Class<R> replyType() {
        return (Class<R>) kind().replyType();
    }

    <T> T dispatch(Families<T> families);

    <T> T accept(Visitor<T> visitor);

    /** The variants of HDFS's rename. */
    enum RenameMode {
        /** {@code rename(src, dst)}: into dst if that is a directory; {@code Done(false)} if it cannot be done. */
        INTO,
        /** {@code rename(src, dst, NONE)}: dst must not exist; errors are typed. */
        STRICT,
        /** {@code rename(src, dst, OVERWRITE)}: replaces a file, or an empty directory by a directory. */
        OVERWRITE
    }

    /** Separates reads from writes. */
    interface Families<T> {
        T read(ReadOperation<?> operation);

        T write(WriteOperation<?> operation);
    }

    /** One method per operation. */
    interface Visitor<T> extends ReadOperation.Visitor<T>, WriteOperation.Visitor<T> {}
}
