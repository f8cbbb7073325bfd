package io.lambdafs.model.operation;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import org.jspecify.annotations.Nullable;

/**
 * Writes that create files whose content is stored with the metadata. Sealed; immutable; byte arrays are not copied.
 */
public sealed interface FileOperation<R extends Reply> extends WriteOperation<R> {
    <T> T accept(Visitor<T> visitor);

    @Override
    default <T> T accept(WriteOperation.Visitor<T> visitor) {
        return accept((Visitor<T>) visitor);
    }

    /**
     * Creates a file with its content. An empty file may get its content later, once, by {@link Complete}.
     *
     * @param path without reserved names
     * @param mode permission bits with the client's umask applied
     * @param unmasked the bits without the umask, used instead in a directory with a default ACL
     * @param overwrite whether an existing file is replaced (a directory never is)
     * @param createParents whether missing ancestors are created
     * @param replication 1–512
     * @param blockSize bytes, at least 1; the service takes no more than {@value Operation#MAX_BLOCK_BYTES}
     * @param content at most {@value Operation#MAX_INLINE_BYTES} bytes; the service stores up to its own limit (64 KB
     *     by default); null only for files imported without content
     * @param imported attributes of a file imported without its content; null otherwise
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Create(
            FsPath path,
            int mode,
            int unmasked,
            boolean overwrite,
            boolean createParents,
            int replication,
            long blockSize,
            byte @Nullable [] content,
            @Nullable Imported imported)
            implements FileOperation<Reply.Status> {
        // Written out, not compact: javac 17 loses type annotations of a compact constructor's parameters in the class
        // file.
        public Create(
                FsPath path,
                int mode,
                int unmasked,
                boolean overwrite,
                boolean createParents,
                int replication,
                long blockSize,
                byte @Nullable [] content,
                @Nullable Imported imported) {
            path.checkNotReserved();
            OperationChecks.checkMode(mode);
            OperationChecks.checkMode(unmasked);
            OperationChecks.checkReplication(replication);
            if (blockSize < 1) {
                throw FsException.invalidArgument("a block size is at least 1 byte, not " + blockSize);
            }
            checkContent(content);
            if (content == null && imported == null) {
                throw FsException.invalidArgument("a file that is not imported has a content, be it empty");
            }
            this.path = path;
            this.mode = mode;
            this.unmasked = unmasked;
            this.overwrite = overwrite;
            this.createParents = createParents;
            this.replication = replication;
            this.blockSize = blockSize;
            this.content = content;
            this.imported = imported;
        }

        /** A create by a client without a umask. */
        public Create(
                FsPath path,
                int mode,
                boolean overwrite,
                boolean createParents,
                int replication,
                long blockSize,
                byte @Nullable [] content,
                @Nullable Imported imported) {
            this(path, mode, mode, overwrite, createParents, replication, blockSize, content, imported);
        }

        @Override
        public OperationKind kind() {
            return OperationKind.CREATE;
        }

        @Override
        public void writeFields(WireWriter out) {
            out.writeInt(mode);
            if (mode != unmasked) {
                out.writeInt(unmasked);
            }
            out.writeBoolean(overwrite);
            out.writeBoolean(createParents);
            out.writeInt(replication);
            out.writeLong(blockSize);
            out.writeOptionalBytes(content);
            out.writeBoolean(imported != null);
            if (imported != null) {
                out.writeLong(imported.size());
                out.writeLong(imported.mtime());
            }
        }

        static Create read(FsPath path, WireReader in) {
            int mode = in.readInt();
            return read(path, mode, mode, in);
        }

        static Create readUnmasked(FsPath path, WireReader in) {
            return read(path, in.readInt(), in.readInt(), in);
        }

        private static Create read(FsPath path, int mode, int unmasked, WireReader in) {
            boolean overwrite = in.readBoolean();
            boolean createParents = in.readBoolean();
            int replication = in.readInt();
            long blockSize = in.readLong();
            byte @Nullable [] content = in.readOptionalBytes();
            Imported imported = in.readBoolean() ? new Imported(in.readLong(), in.readLong()) : null;
            return new Create(
                    path, mode, unmasked, overwrite, createParents, replication, blockSize, content, imported);
        }

        @Override
        public int wireNumber() {
            return mode == unmasked ? kind().number() : OperationKind.CREATE_UNMASKED;
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.create(this);
        }
    }

    /**
     * The attributes an import preserves: the modification time and, if the content is not imported, the true length.
     *
     * @param size bytes, of which the service takes 0–{@value Operation#MAX_FILE_BYTES}; ignored if the content is
     *     imported too
     * @param mtime milliseconds since 1970
     */
    record Imported(long size, long mtime) {}

    /** An operation on a file that its writer created or opened, wherever the file has been moved since. */
    interface OnOpenFile {
        OpenFile file();

        /** Returns the same operation with the file at another path. */
        Operation<?> at(FsPath path);
    }

    /**
     * Sets the content of an empty file, atomically.
     *
     * @param path where the file was created
     * @param file as returned by {@link Create}: a different file at that path, or one with content, is left alone
     * @param generation of the writer lease for a file opened for append; 0 for a new file, which has none
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Complete(FsPath path, OpenFile file, long generation, byte[] content)
            implements FileOperation<Reply.Status>, OnOpenFile {
        public Complete {
            checkContent(content);
        }

        /** Sets the content of a new file. */
        public Complete(FsPath path, OpenFile file, byte[] content) {
            this(path, file, 0, content);
        }

        @Override
        public Complete at(FsPath other) {
            return new Complete(other, file, generation, content);
        }

        @Override
        public OperationKind kind() {
            return OperationKind.COMPLETE;
        }

        @Override
        public void writeFields(WireWriter out) {
            out.writeLong(file.id());
            if (generation != 0 || file.directoryId() != 0) {
                out.writeLong(file.directoryId());
            }
            if (generation != 0) {
                out.writeLong(generation);
            }
            out.writeBytes(content);
        }

        static Complete read(FsPath path, WireReader in) {
            return new Complete(path, new OpenFile(in.readLong(), 0), in.readBytes());
        }

        static Complete readInDirectory(FsPath path, WireReader in) {
            return new Complete(path, OpenFile.read(in), in.readBytes());
        }

        static Complete readLeased(FsPath path, WireReader in) {
            return new Complete(path, OpenFile.read(in), in.readLong(), in.readBytes());
        }

        @Override
        public int wireNumber() {
            if (generation != 0) {
                return OperationKind.COMPLETE_LEASED;
            }
            return file.directoryId() == 0 ? kind().number() : OperationKind.COMPLETE_IN_DIRECTORY;
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.complete(this);
        }
    }

    /** One method per operation of the family. */
    interface Visitor<T> {
        T create(Create operation);

        T complete(Complete operation);
    }

    private static void checkContent(byte @Nullable [] content) {
        if (content != null && content.length > MAX_INLINE_BYTES) {
            throw new FsException(
                    ErrorCode.NEEDS_DATANODE,
                    content.length + " bytes are more than the " + MAX_INLINE_BYTES + " that fit one request");
        }
    }
}
