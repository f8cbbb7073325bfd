package io.lambdafs.model;

import org.jspecify.annotations.Nullable;

/** Writes that make a file with a content that is kept with the metadata. Sealed; immutable; byte arrays are not copied. */
public sealed interface FileOperation<R extends Reply> extends WriteOperation<R> {
    <T> T accept(Visitor<T> visitor);

    @Override
    default <T> T accept(WriteOperation.Visitor<T> visitor) {
        return accept((Visitor<T>) visitor);
    }

    /**
     * Makes a file with its content. An empty one may be given its content later, once, by {@link Complete}.
     *
     * @param path without reserved names
     * @param mode permission bits with the client's umask applied
     * @param unmasked those bits without the umask, which count instead in a directory with a default ACL
     * @param overwrite whether an existing file is replaced (a directory never is)
     * @param createParents whether missing ancestors are made
     * @param replication 1–512
     * @param blockSize bytes, 1 MiB–1 TiB by default limits; at least 1
     * @param content at most {@value Operation#MAX_INLINE_BYTES} bytes; the service keeps up to its own limit (64 KB by default); null
     *     only for what is imported without it
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
                throw new FsException(ErrorCode.INVALID_ARGUMENT, "a block size is at least 1 byte, not " + blockSize);
            }
            checkContent(content);
            if (content == null && imported == null) {
                throw new FsException(
                        ErrorCode.INVALID_ARGUMENT, "a file that is not imported has a content, be it empty");
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

        /** Of a client without a umask. */
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
        public <T> T accept(Visitor<T> visitor) {
            return visitor.create(this);
        }
    }

    /**
     * What an import keeps of a file: its modification time, and its true length where the content stays behind.
     *
     * @param size bytes; ignored where the content comes along
     * @param mtime milliseconds since 1970
     */
    record Imported(long size, long mtime) {}

    /** What a writer asks for the file that it made or opened, wherever that has been moved since. */
    interface OnOpenFile {
        OpenFile file();

        /** The same for the file at another path. */
        Operation<?> at(FsPath path);
    }

    /**
     * Gives an empty file its content, which nobody sees in part.
     *
     * @param path where the file was made
     * @param file what {@link Create} answered: a file that has taken its place, or has a content, is not touched
     * @param generation of the writer lease, of one that was opened to append to it; 0 of a new one, which has none
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Complete(FsPath path, OpenFile file, long generation, byte[] content)
            implements FileOperation<Reply.Status>, OnOpenFile {
        public Complete {
            checkContent(content);
        }

        /** The content of a new file. */
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
