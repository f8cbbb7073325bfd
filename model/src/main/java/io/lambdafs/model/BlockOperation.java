package io.lambdafs.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes of a file in blocks, and of the writer lease that it has. Sealed; immutable. */
public sealed interface BlockOperation<R extends Reply> extends WriteOperation<R> {
    <T> T accept(Visitor<T> visitor);

    @Override
    default <T> T accept(WriteOperation.Visitor<T> visitor) {
        return accept((Visitor<T>) visitor);
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
            @Nullable Block previous) implements BlockOperation<Reply.BlockAdded>, FileOperation.OnOpenFile {
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
        public OperationKind kind() {
            return OperationKind.ADD_BLOCK;
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
            @Nullable Block last) implements BlockOperation<Reply.Status>, FileOperation.OnOpenFile {
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
        public OperationKind kind() {
            return OperationKind.COMPLETE_BLOCKS;
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
    record RenewLease(FsPath path, OpenFile file, long generation)
            implements BlockOperation<Reply.Done>, FileOperation.OnOpenFile {
        @Override
        public RenewLease at(FsPath other) {
            return new RenewLease(other, file, generation);
        }

        @Override
        public OperationKind kind() {
            return OperationKind.RENEW_LEASE;
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
    record Abandon(FsPath path, OpenFile file, long generation)
            implements BlockOperation<Reply.Done>, FileOperation.OnOpenFile {
        @Override
        public Abandon at(FsPath other) {
            return new Abandon(other, file, generation);
        }

        @Override
        public OperationKind kind() {
            return OperationKind.ABANDON;
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.abandon(this);
        }
    }

    /**
     * Closes a file for a writer that has been silent for longer than the hard limit; {@code Done(false)} if it has not, or the file is
     * closed.
     */
    record RecoverLease(FsPath path, OpenFile file) implements BlockOperation<Reply.Done>, FileOperation.OnOpenFile {
        @Override
        public RecoverLease at(FsPath other) {
            return new RecoverLease(other, file);
        }

        @Override
        public OperationKind kind() {
            return OperationKind.RECOVER_LEASE;
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.recoverLease(this);
        }
    }

    /**
     * Takes the writer lease of a file, to append to it, or to close it in the place of its writer.
     *
     * @param force whether it is taken from a writer that has not been silent for long too
     */
    record TakeLease(FsPath path, boolean force) implements BlockOperation<Reply.Leased> {
        @Override
        public OperationKind kind() {
            return OperationKind.TAKE_LEASE;
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.takeLease(this);
        }
    }

    /** Cuts a file to a length, at once; {@code Done(true)} also where it has that length. */
    record Truncate(FsPath path, long length) implements BlockOperation<Reply.Done> {
        public Truncate {
            if (length < 0) {
                throw new FsException(ErrorCode.INVALID_ARGUMENT, "cannot truncate to a length of " + length);
            }
        }

        @Override
        public OperationKind kind() {
            return OperationKind.TRUNCATE;
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.truncate(this);
        }
    }

    /**
     * Moves the blocks of files to the end of another file of the same directory, in order; the files go.
     *
     * @param sources 1–{@value #MAX_SOURCES}
     */
    record Concat(FsPath path, List<FsPath> sources) implements BlockOperation<Reply.Done> {
        /** Most files that one operation moves. */
        public static final int MAX_SOURCES = 1_000;

        public Concat {
            sources = List.copyOf(sources);
            if (sources.isEmpty() || sources.size() > MAX_SOURCES) {
                throw new FsException(
                        ErrorCode.INVALID_ARGUMENT,
                        "1.." + MAX_SOURCES + " files are added to another one, not " + sources.size());
            }
        }

        @Override
        public OperationKind kind() {
            return OperationKind.CONCAT;
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.concat(this);
        }
    }

    /** One method per operation of the family. */
    interface Visitor<T> {
        T addBlock(AddBlock operation);

        T completeBlocks(CompleteBlocks operation);

        T renewLease(RenewLease operation);

        T abandon(Abandon operation);

        T takeLease(TakeLease operation);

        T recoverLease(RecoverLease operation);

        T truncate(Truncate operation);

        T concat(Concat operation);
    }

    private static void checkIndex(int index) {
        if (index < 0 || index > MAX_BLOCKS) {
            throw new FsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "a file has at most " + MAX_BLOCKS + " blocks: choose a larger block size");
        }
    }
}
