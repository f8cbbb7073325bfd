package io.lambdafs.model.operation;

import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import io.lambdafs.model.block.Block;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes to files stored in blocks and to their writer leases. Sealed; immutable. */
public sealed interface BlockOperation<R extends Reply> extends WriteOperation<R> {
    /** In place of a datanode's receipt, where clients write to the block store themselves or no block is reported. */
    @SuppressWarnings("MutablePublicArray") // It has no element.
    byte[] NO_RECEIPT = {};

    <T> T accept(Visitor<T> visitor);

    @Override
    default <T> T accept(WriteOperation.Visitor<T> visitor) {
        return accept((Visitor<T>) visitor);
    }

    /**
     * Allocates the next block of a file, or a new location for a block whose upload failed. The first call takes the
     * writer lease of an empty file.
     *
     * @param generation of the writer lease; 0 to take the lease of an empty file
     * @param index of the requested block, 0-based
     * @param previous the preceding block, now written; null if there is none or it was already reported
     * @param receipt its datanode's, or {@link #NO_RECEIPT}
     */
    @SuppressWarnings("ArrayRecordComponent")
    record AddBlock(
            FsPath path,
            OpenFile file,
            long generation,
            int index,
            @Nullable Block previous,
            byte[] receipt) implements BlockOperation<Reply.BlockAdded>, FileOperation.OnOpenFile {
        // Written out, not compact: javac 17 loses type annotations of a compact constructor's parameters in the class
        // file.
        public AddBlock(
                FsPath path, OpenFile file, long generation, int index, @Nullable Block previous, byte[] receipt) {
            checkIndex(index);
            if (previous != null && index == 0) {
                throw FsException.invalidArgument("no block comes before the first");
            }
            this.path = path;
            this.file = file;
            this.generation = generation;
            this.index = index;
            this.previous = previous;
            this.receipt = receipt;
        }

        /** An allocation that reports no block, or one without a receipt. */
        public AddBlock(FsPath path, OpenFile file, long generation, int index, @Nullable Block previous) {
            this(path, file, generation, index, previous, NO_RECEIPT);
        }

        @Override
        public AddBlock at(FsPath other) {
            return new AddBlock(other, file, generation, index, previous, receipt);
        }

        @Override
        public OperationKind kind() {
            return OperationKind.ADD_BLOCK;
        }

        @Override
        public void writeFields(WireWriter out) {
            file.write(out);
            out.writeLong(generation);
            out.writeInt(index);
            writeReported(out, previous, receipt);
        }

        static AddBlock read(FsPath path, WireReader in) {
            return new AddBlock(path, OpenFile.read(in), in.readLong(), in.readInt(), readOptional(in));
        }

        @Override
        public int wireNumber() {
            return isProved(previous, receipt) ? OperationKind.ADD_BLOCK_PROVED : kind().number();
        }

        static AddBlock readProved(FsPath path, WireReader in) {
            return new AddBlock(
                    path, OpenFile.read(in), in.readLong(), in.readInt(), Block.read(in), Block.readReceipt(in));
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.addBlock(this);
        }
    }

    /**
     * Closes a file written in blocks and releases its writer lease.
     *
     * @param generation of the writer lease
     * @param blocks number of blocks in the file
     * @param last the last block, now written; null if it was already reported
     * @param receipt its datanode's, or {@link #NO_RECEIPT}
     */
    @SuppressWarnings("ArrayRecordComponent")
    record CompleteBlocks(
            FsPath path,
            OpenFile file,
            long generation,
            int blocks,
            @Nullable Block last,
            byte[] receipt) implements BlockOperation<Reply.Status>, FileOperation.OnOpenFile {
        // Written out, not compact: javac 17 loses type annotations of a compact constructor's parameters in the class
        // file.
        public CompleteBlocks(
                FsPath path, OpenFile file, long generation, int blocks, @Nullable Block last, byte[] receipt) {
            checkIndex(blocks);
            if (last != null && blocks == 0) {
                throw FsException.invalidArgument("a file without blocks has no last one");
            }
            this.path = path;
            this.file = file;
            this.generation = generation;
            this.blocks = blocks;
            this.last = last;
            this.receipt = receipt;
        }

        /** A close that reports no block, or one without a receipt. */
        public CompleteBlocks(FsPath path, OpenFile file, long generation, int blocks, @Nullable Block last) {
            this(path, file, generation, blocks, last, NO_RECEIPT);
        }

        @Override
        public CompleteBlocks at(FsPath other) {
            return new CompleteBlocks(other, file, generation, blocks, last, receipt);
        }

        @Override
        public OperationKind kind() {
            return OperationKind.COMPLETE_BLOCKS;
        }

        @Override
        public void writeFields(WireWriter out) {
            file.write(out);
            out.writeLong(generation);
            out.writeInt(blocks);
            writeReported(out, last, receipt);
        }

        static CompleteBlocks read(FsPath path, WireReader in) {
            return new CompleteBlocks(path, OpenFile.read(in), in.readLong(), in.readInt(), readOptional(in));
        }

        @Override
        public int wireNumber() {
            return isProved(last, receipt) ? OperationKind.COMPLETE_BLOCKS_PROVED : kind().number();
        }

        static CompleteBlocks readProved(FsPath path, WireReader in) {
            return new CompleteBlocks(
                    path, OpenFile.read(in), in.readLong(), in.readInt(), Block.read(in), Block.readReceipt(in));
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.completeBlocks(this);
        }
    }

    /**
     * Renews a file's writer lease.
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
        public void writeFields(WireWriter out) {
            file.write(out);
            out.writeLong(generation);
        }

        static RenewLease read(FsPath path, WireReader in) {
            return new RenewLease(path, OpenFile.read(in), in.readLong());
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.renewLease(this);
        }
    }

    /**
     * Removes a file that its writer abandons; {@code Done(false)} if the file is gone.
     *
     * @param generation of the writer lease; 0 if it has none yet
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
        public void writeFields(WireWriter out) {
            file.write(out);
            out.writeLong(generation);
        }

        static Abandon read(FsPath path, WireReader in) {
            return new Abandon(path, OpenFile.read(in), in.readLong());
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.abandon(this);
        }
    }

    /**
     * Closes a file whose writer has been silent beyond the hard limit; {@code Done(false)} if it has not, or the file
     * is closed.
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
        public void writeFields(WireWriter out) {
            file.write(out);
        }

        static RecoverLease read(FsPath path, WireReader in) {
            return new RecoverLease(path, OpenFile.read(in));
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.recoverLease(this);
        }
    }

    /**
     * Takes a file's writer lease, to append to the file or to close it on its writer's behalf.
     *
     * @param force whether to take the lease even from a writer that was active recently
     * @param fileId of the file whose lease it replaces, for the same user; 0 for whichever is at the path
     * @param generation of the only lease that may be taken, by force; 0 for any
     */
    record TakeLease(FsPath path, boolean force, long fileId, long generation) implements BlockOperation<Reply.Leased> {
        public TakeLease {
            if (generation < 0 || (generation > 0 && !force) || (generation == 0 && fileId != 0)) {
                throw FsException.invalidArgument("no lease of generation " + generation + " can be replaced");
            }
        }

        /** Takes whichever lease there is. */
        public TakeLease(FsPath path, boolean force) {
            this(path, force, 0, 0);
        }

        /** Returns whether only one lease may be taken, in place of its holder. */
        public boolean replaces() {
            return generation > 0;
        }

        @Override
        public OperationKind kind() {
            return OperationKind.TAKE_LEASE;
        }

        @Override
        public void writeFields(WireWriter out) {
            if (replaces()) {
                out.writeLong(fileId);
                out.writeLong(generation);
            } else {
                out.writeBoolean(force);
            }
        }

        static TakeLease read(FsPath path, WireReader in) {
            return new TakeLease(path, in.readBoolean());
        }

        @Override
        public int wireNumber() {
            return replaces() ? OperationKind.TAKE_LEASE_OF : kind().number();
        }

        static TakeLease readReplacing(FsPath path, WireReader in) {
            TakeLease read = new TakeLease(path, true, in.readLong(), in.readLong());
            if (!read.replaces()) {
                throw WireReader.bad("a lease without a generation is replaced");
            }
            return read;
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.takeLease(this);
        }
    }

    /** Truncates a file to a length, at once; {@code Done(true)} also if it already has that length. */
    record Truncate(FsPath path, long length) implements BlockOperation<Reply.Done> {
        public Truncate {
            if (length < 0) {
                throw FsException.invalidArgument("cannot truncate to a length of " + length);
            }
        }

        @Override
        public OperationKind kind() {
            return OperationKind.TRUNCATE;
        }

        @Override
        public void writeFields(WireWriter out) {
            out.writeLong(length);
        }

        static Truncate read(FsPath path, WireReader in) {
            return new Truncate(path, in.readLong());
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.truncate(this);
        }
    }

    /**
     * Appends the blocks of some files, in order, to another file in the same directory and removes those files.
     *
     * @param sources 1–{@value #MAX_SOURCES}
     */
    record Concat(FsPath path, List<FsPath> sources) implements BlockOperation<Reply.Done> {
        /** Maximum number of source files per operation. */
        public static final int MAX_SOURCES = 1_000;

        public Concat {
            sources = List.copyOf(sources);
            if (sources.isEmpty() || sources.size() > MAX_SOURCES) {
                throw FsException.invalidArgument(
                        "1.." + MAX_SOURCES + " files are added to another one, not " + sources.size());
            }
        }

        @Override
        public OperationKind kind() {
            return OperationKind.CONCAT;
        }

        @Override
        public void writeFields(WireWriter out) {
            FsPath.writeAll(out, sources);
        }

        static Concat read(FsPath path, WireReader in) {
            return new Concat(path, FsPath.readAll(in));
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

    private static boolean isProved(@Nullable Block reported, byte[] receipt) {
        return reported != null && receipt.length > 0;
    }

    private static void writeReported(WireWriter out, @Nullable Block reported, byte[] receipt) {
        if (reported != null && isProved(reported, receipt)) {
            reported.write(out);
            out.writeBytes(receipt);
            return;
        }
        out.writeBoolean(reported != null);
        if (reported != null) {
            reported.write(out);
        }
    }

    private static @Nullable Block readOptional(WireReader in) {
        return in.readBoolean() ? Block.read(in) : null;
    }

    private static void checkIndex(int index) {
        if (index < 0 || index > MAX_BLOCKS) {
            throw FsException.invalidArgument(
                    "a file has at most " + MAX_BLOCKS + " blocks: choose a larger block size");
        }
    }
}
