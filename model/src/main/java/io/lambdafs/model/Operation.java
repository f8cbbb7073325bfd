package io.lambdafs.model;

import org.jspecify.annotations.Nullable;

/**
 * What a client can ask. Sealed: every place that treats operations one by one implements {@link Visitor}, and the compiler
 * names the ones it forgot. Immutable; byte arrays are not copied and must not be changed.
 *
 * @param <R> the reply of success
 */
public sealed interface Operation<R extends Reply> {
    /** Longest content that {@link Create} and {@link Complete} carry, in bytes: what fits an HTTP call of 1 MiB. */
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

    /** Whether it may change the namespace, and so needs a slot. */
    boolean isWrite();

    Class<R> replyType();

    <T> T accept(Visitor<T> visitor);

    /** What a writer asks for the file that it made or opened, wherever that has been moved since. */
    interface OnOpenFile {
        OpenFile file();

        /** The same for the file at another path. */
        Operation<?> at(FsPath path);
    }

    /** Attributes of a file or directory. */
    record Stat(FsPath path) implements Operation<Reply.Status> {
        @Override
        public boolean isWrite() {
            return false;
        }

        @Override
        public Class<Reply.Status> replyType() {
            return Reply.Status.class;
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.stat(this);
        }
    }

    /**
     * One page of a directory's entries in order of their names (UTF-8 bytes), or the one entry of a file.
     *
     * @param startAfter the last name of the page before; empty for the first page
     * @param limit 1–{@value Operation#MAX_PAGE}; a page may have fewer entries where their names are long
     */
    record ListPage(FsPath path, String startAfter, int limit) implements Operation<Reply.Page> {
        public ListPage {
            if (limit < 1 || limit > MAX_PAGE) {
                throw new FsException(
                        ErrorCode.INVALID_ARGUMENT, "a page has 1.." + MAX_PAGE + " entries, not " + limit);
            }
        }

        @Override
        public FsPath routingDirectory() {
            return path;
        }

        @Override
        public boolean isWrite() {
            return false;
        }

        @Override
        public Class<Reply.Page> replyType() {
            return Reply.Page.class;
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.list(this);
        }
    }

    /**
     * Attributes and content of a file, to read it.
     *
     * @param offset where to begin, in bytes: of a file in blocks, those from there on are located
     */
    record Open(FsPath path, long offset) implements Operation<Reply.Opened> {
        public Open {
            if (offset < 0) {
                throw new FsException(ErrorCode.INVALID_ARGUMENT, "no file has an offset " + offset);
            }
        }

        public Open(FsPath path) {
            this(path, 0);
        }

        @Override
        public boolean isWrite() {
            return false;
        }

        @Override
        public Class<Reply.Opened> replyType() {
            return Reply.Opened.class;
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.open(this);
        }
    }

    /**
     * Whether the caller may do something with a file or directory; {@code PERMISSION_DENIED} where it may not.
     *
     * @param wanted the actions wanted, 4 to read, 2 to write, 1 to execute, added; 0 asks only whether the path can be reached
     */
    record Access(FsPath path, int wanted) implements Operation<Reply.Done> {
        public Access {
            if (wanted < 0 || wanted > 7) {
                throw new FsException(ErrorCode.INVALID_ARGUMENT, "wanted actions are 0..7, not " + wanted);
            }
        }

        @Override
        public boolean isWrite() {
            return false;
        }

        @Override
        public Class<Reply.Done> replyType() {
            return Reply.Done.class;
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.access(this);
        }
    }

    /**
     * Makes a directory and, unless told otherwise, its missing ancestors; succeeds if it is there.
     *
     * @param path without reserved names
     * @param mode permission bits with the client's umask applied
     * @param createParents whether missing ancestors are made; otherwise the parent must exist
     */
    record Mkdirs(FsPath path, int mode, boolean createParents) implements Operation<Reply.Done> {
        public Mkdirs {
            path.checkNotReserved();
            checkMode(mode);
        }

        @Override
        public boolean isWrite() {
            return true;
        }

        @Override
        public Class<Reply.Done> replyType() {
            return Reply.Done.class;
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.mkdirs(this);
        }
    }

    /**
     * Makes a file with its content. An empty one may be given its content later, once, by {@link Complete}.
     *
     * @param path without reserved names
     * @param mode permission bits with the client's umask applied
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
            boolean overwrite,
            boolean createParents,
            int replication,
            long blockSize,
            byte @Nullable [] content,
            @Nullable Imported imported)
            implements Operation<Reply.Status> {
        // Written out, not compact: javac 17 loses type annotations of a compact constructor's parameters in the class
        // file.
        public Create(
                FsPath path,
                int mode,
                boolean overwrite,
                boolean createParents,
                int replication,
                long blockSize,
                byte @Nullable [] content,
                @Nullable Imported imported) {
            path.checkNotReserved();
            checkMode(mode);
            checkReplication(replication);
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
            this.overwrite = overwrite;
            this.createParents = createParents;
            this.replication = replication;
            this.blockSize = blockSize;
            this.content = content;
            this.imported = imported;
        }

        @Override
        public boolean isWrite() {
            return true;
        }

        @Override
        public Class<Reply.Status> replyType() {
            return Reply.Status.class;
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

    /**
     * Gives an empty file its content, which nobody sees in part.
     *
     * @param path where the file was made
     * @param file what {@link Create} answered: a file that has taken its place, or has a content, is not touched
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Complete(FsPath path, OpenFile file, byte[] content) implements Operation<Reply.Status>, OnOpenFile {
        public Complete {
            checkContent(content);
        }

        @Override
        public Complete at(FsPath other) {
            return new Complete(other, file, content);
        }

        @Override
        public boolean isWrite() {
            return true;
        }

        @Override
        public Class<Reply.Status> replyType() {
            return Reply.Status.class;
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.complete(this);
        }
    }

    /**
     * Asks for the next block of a file, or for another place for one whose writing has failed. The first one takes the writer lease of an
     * empty file.
     *
     * @param generation of the writer lease; 0 to take that of an empty file
     * @param index of the block that is asked for, from 0
     * @param previous the block before, which has been written; null where there is none, or it has been told
     */
    record AddBlock(
            FsPath path,
            OpenFile file,
            long generation,
            int index,
            @Nullable Block previous) implements Operation<Reply.BlockAdded>, OnOpenFile {
        // Written out, not compact: javac 17 loses type annotations of a compact constructor's parameters in the class
        // file.
        public AddBlock(FsPath path, OpenFile file, long generation, int index, @Nullable Block previous) {
            checkIndex(index);
            if (previous != null && index == 0) {
                throw new FsException(ErrorCode.INVALID_ARGUMENT, "no block comes before the first");
            }
            this.path = path;
            this.file = file;
            this.generation = generation;
            this.index = index;
            this.previous = previous;
        }

        @Override
        public AddBlock at(FsPath other) {
            return new AddBlock(other, file, generation, index, previous);
        }

        @Override
        public boolean isWrite() {
            return true;
        }

        @Override
        public Class<Reply.BlockAdded> replyType() {
            return Reply.BlockAdded.class;
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.addBlock(this);
        }
    }

    /**
     * Closes a file that was written in blocks, and gives its writer lease back.
     *
     * @param generation of the writer lease
     * @param blocks how many the file has
     * @param last the last of them, which has been written; null where it has been told
     */
    record CompleteBlocks(
            FsPath path,
            OpenFile file,
            long generation,
            int blocks,
            @Nullable Block last) implements Operation<Reply.Status>, OnOpenFile {
        // Written out, not compact: javac 17 loses type annotations of a compact constructor's parameters in the class
        // file.
        public CompleteBlocks(FsPath path, OpenFile file, long generation, int blocks, @Nullable Block last) {
            checkIndex(blocks);
            if (last != null && blocks == 0) {
                throw new FsException(ErrorCode.INVALID_ARGUMENT, "a file without blocks has no last one");
            }
            this.path = path;
            this.file = file;
            this.generation = generation;
            this.blocks = blocks;
            this.last = last;
        }

        @Override
        public CompleteBlocks at(FsPath other) {
            return new CompleteBlocks(other, file, generation, blocks, last);
        }

        @Override
        public boolean isWrite() {
            return true;
        }

        @Override
        public Class<Reply.Status> replyType() {
            return Reply.Status.class;
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.completeBlocks(this);
        }
    }

    /**
     * Says that the writer of a file lives.
     *
     * @param generation of the writer lease
     */
    record RenewLease(FsPath path, OpenFile file, long generation) implements Operation<Reply.Done>, OnOpenFile {
        @Override
        public RenewLease at(FsPath other) {
            return new RenewLease(other, file, generation);
        }

        @Override
        public boolean isWrite() {
            return true;
        }

        @Override
        public Class<Reply.Done> replyType() {
            return Reply.Done.class;
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.renewLease(this);
        }
    }

    /**
     * Removes a file whose writer gives up; {@code Done(false)} where the file is gone.
     *
     * @param generation of the writer lease; 0 where it has none yet
     */
    record Abandon(FsPath path, OpenFile file, long generation) implements Operation<Reply.Done>, OnOpenFile {
        @Override
        public Abandon at(FsPath other) {
            return new Abandon(other, file, generation);
        }

        @Override
        public boolean isWrite() {
            return true;
        }

        @Override
        public Class<Reply.Done> replyType() {
            return Reply.Done.class;
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.abandon(this);
        }
    }

    /**
     * Takes the writer lease of a file in blocks, to append to it, or to close it in the place of a writer that has been silent for too long.
     */
    record TakeLease(FsPath path) implements Operation<Reply.Leased> {
        @Override
        public boolean isWrite() {
            return true;
        }

        @Override
        public Class<Reply.Leased> replyType() {
            return Reply.Leased.class;
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.takeLease(this);
        }
    }

    /** Removes a file or directory; {@code Done(false)} if there is none. A directory with children needs {@code recursive}. */
    record Delete(FsPath path, boolean recursive) implements Operation<Reply.Done> {
        @Override
        public boolean isWrite() {
            return true;
        }

        @Override
        public Class<Reply.Done> replyType() {
            return Reply.Done.class;
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.delete(this);
        }
    }

    /** Which of HDFS's two renames. */
    enum RenameMode {
        /** {@code rename(src, dst)}: into dst if that is a directory; {@code Done(false)} where it cannot. */
        INTO,
        /** {@code rename(src, dst, NONE)}: dst must not exist; errors are typed. */
        STRICT,
        /** {@code rename(src, dst, OVERWRITE)}: replaces a file, or an empty directory by a directory. */
        OVERWRITE
    }

    /** Moves a file or directory; routed by its source. The destination is no reserved name. */
    record Rename(FsPath path, FsPath destination, RenameMode mode) implements Operation<Reply.Done> {
        public Rename {
            destination.checkNotReserved();
        }

        @Override
        public boolean isWrite() {
            return true;
        }

        @Override
        public Class<Reply.Done> replyType() {
            return Reply.Done.class;
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.rename(this);
        }
    }

    /** chmod. */
    record SetPermission(FsPath path, int mode) implements Operation<Reply.Done> {
        public SetPermission {
            checkMode(mode);
        }

        @Override
        public boolean isWrite() {
            return true;
        }

        @Override
        public Class<Reply.Done> replyType() {
            return Reply.Done.class;
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.setPermission(this);
        }
    }

    /** chown and chgrp; null keeps what is. */
    record SetOwner(
            FsPath path, @Nullable String owner, @Nullable String group) implements Operation<Reply.Done> {
        @Override
        public boolean isWrite() {
            return true;
        }

        @Override
        public Class<Reply.Done> replyType() {
            return Reply.Done.class;
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.setOwner(this);
        }
    }

    /** Sets times; a negative value keeps what is. */
    record SetTimes(FsPath path, long mtime, long atime) implements Operation<Reply.Done> {
        @Override
        public boolean isWrite() {
            return true;
        }

        @Override
        public Class<Reply.Done> replyType() {
            return Reply.Done.class;
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.setTimes(this);
        }
    }

    /** Sets a file's replication, 1–512; {@code Done(false)} if there is no such file. */
    record SetReplication(FsPath path, int replication) implements Operation<Reply.Done> {
        public SetReplication {
            checkReplication(replication);
        }

        @Override
        public boolean isWrite() {
            return true;
        }

        @Override
        public Class<Reply.Done> replyType() {
            return Reply.Done.class;
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.setReplication(this);
        }
    }

    /** One method per operation. */
    interface Visitor<T> {
        T stat(Stat operation);

        T list(ListPage operation);

        T open(Open operation);

        T access(Access operation);

        T mkdirs(Mkdirs operation);

        T create(Create operation);

        T complete(Complete operation);

        T addBlock(AddBlock operation);

        T completeBlocks(CompleteBlocks operation);

        T renewLease(RenewLease operation);

        T abandon(Abandon operation);

        T takeLease(TakeLease operation);

        T delete(Delete operation);

        T rename(Rename operation);

        T setPermission(SetPermission operation);

        T setOwner(SetOwner operation);

        T setTimes(SetTimes operation);

        T setReplication(SetReplication operation);
    }

    private static void checkMode(int mode) {
        if (mode < 0 || mode > INode.MAX_MODE) {
            throw new FsException(
                    ErrorCode.INVALID_ARGUMENT, "a mode is 0..01777, not 0" + Integer.toOctalString(mode));
        }
    }

    private static void checkIndex(int index) {
        if (index < 0 || index > MAX_BLOCKS) {
            throw new FsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "a file has at most " + MAX_BLOCKS + " blocks: choose a larger block size");
        }
    }

    private static void checkReplication(int replication) {
        if (replication < 1 || replication > MAX_REPLICATION) {
            throw new FsException(
                    ErrorCode.INVALID_ARGUMENT, "a replication is 1.." + MAX_REPLICATION + ", not " + replication);
        }
    }

    private static void checkContent(byte @Nullable [] content) {
        if (content != null && content.length > MAX_INLINE_BYTES) {
            throw new FsException(
                    ErrorCode.NEEDS_DATANODE,
                    content.length + " bytes are more than the " + MAX_INLINE_BYTES + " that fit one request");
        }
    }
}
