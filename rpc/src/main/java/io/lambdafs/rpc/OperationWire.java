package io.lambdafs.rpc;

import io.lambdafs.model.AclEntry;
import io.lambdafs.model.AttributeOperation;
import io.lambdafs.model.Block;
import io.lambdafs.model.BlockOperation;
import io.lambdafs.model.BulkDelete;
import io.lambdafs.model.FileOperation;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.NamespaceOperation;
import io.lambdafs.model.OpenFile;
import io.lambdafs.model.Operation;
import io.lambdafs.model.OperationKind;
import io.lambdafs.model.ReadOperation;
import io.lambdafs.model.RequestId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Encodes operations on the wire: the number of their kind in one unsigned byte, then the fields. Paths travel as text
 * and are parsed and checked again by the receiver. Stateless.
 */
final class OperationWire {
    /** The number of {@link FileOperation.Complete} with a known directory. */
    private static final int COMPLETE_IN_DIRECTORY = 127;
    /** The number of {@link FileOperation.Complete} under a writer lease. */
    private static final int COMPLETE_LEASED = 142;
    /** The number of {@link ReadOperation.Open} with an offset. */
    private static final int OPEN_AT = 133;
    /** The number of {@link NamespaceOperation.Mkdirs} with a umask. */
    private static final int MKDIRS_UNMASKED = 149;
    /** The number of {@link FileOperation.Create} with a umask. */
    private static final int CREATE_UNMASKED = 150;

    /** The number of {@link BlockOperation.AddBlock} with a receipt. */
    private static final int ADD_BLOCK_RECEIPT = 157;
    /** The number of {@link BlockOperation.CompleteBlocks} with a receipt. */
    private static final int COMPLETE_BLOCKS_RECEIPT = 158;

    private static final AttributeOperation.AclChange[] ACL_CHANGES = AttributeOperation.AclChange.values();
    private static final Operation.RenameMode[] RENAME_MODES = Operation.RenameMode.values();

    private OperationWire() {}

    static void write(WireWriter out, Operation<?> operation) {
        operation.accept(new Writer(out));
    }

    /**
     * Reads one operation.
     *
     * @param number its first byte, already read
     * @throws io.lambdafs.model.FsException {@code BAD_FRAME}; or, from the checks of the operation itself,
     *     {@code INVALID_PATH}, {@code INVALID_ARGUMENT} or {@code NEEDS_DATANODE}
     */
    static Operation<?> read(int number, WireReader in) {
        FsPath path = FsPath.of(in.readString());
        if (number == COMPLETE_IN_DIRECTORY) {
            return new FileOperation.Complete(path, readFile(in), in.readBytes());
        }
        if (number == COMPLETE_LEASED) {
            return new FileOperation.Complete(path, readFile(in), in.readLong(), in.readBytes());
        }
        if (number == OPEN_AT) {
            return new ReadOperation.Open(path, readOffset(in));
        }
        if (number == MKDIRS_UNMASKED) {
            return new NamespaceOperation.Mkdirs(path, in.readInt(), in.readInt(), in.readBoolean());
        }
        if (number == CREATE_UNMASKED) {
            int mode = in.readInt();
            return readCreate(path, mode, in.readInt(), in);
        }
        if (number == ADD_BLOCK_RECEIPT) {
            return new BlockOperation.AddBlock(
                    path, readFile(in), in.readLong(), in.readInt(), BlockWire.read(in), BlockWire.readReceipt(in));
        }
        if (number == COMPLETE_BLOCKS_RECEIPT) {
            return new BlockOperation.CompleteBlocks(
                    path, readFile(in), in.readLong(), in.readInt(), BlockWire.read(in), BlockWire.readReceipt(in));
        }
        OperationKind kind = OperationKind.of(number);
        if (kind == null) {
            throw WireReader.bad("unknown operation " + number);
        }
        return switch (kind) {
            case STAT -> new ReadOperation.Stat(path);
            case LIST_PAGE -> new ReadOperation.ListPage(path, in.readString(), in.readInt());
            case LIST_EACH -> new ReadOperation.ListEach(readPaths(path, in), in.readInt());
            case OPEN -> new ReadOperation.Open(path);
            case MKDIRS -> new NamespaceOperation.Mkdirs(path, in.readInt(), in.readBoolean());
            case CREATE -> {
                int mode = in.readInt();
                yield readCreate(path, mode, mode, in);
            }
            case COMPLETE -> new FileOperation.Complete(path, new OpenFile(in.readLong(), 0), in.readBytes());
            case ADD_BLOCK ->
                new BlockOperation.AddBlock(path, readFile(in), in.readLong(), in.readInt(), readOptionalBlock(in));
            case COMPLETE_BLOCKS ->
                new BlockOperation.CompleteBlocks(
                        path, readFile(in), in.readLong(), in.readInt(), readOptionalBlock(in));
            case RENEW_LEASE -> new BlockOperation.RenewLease(path, readFile(in), in.readLong());
            case ABANDON -> new BlockOperation.Abandon(path, readFile(in), in.readLong());
            case TAKE_LEASE -> new BlockOperation.TakeLease(path, in.readBoolean());
            case RECOVER_LEASE -> new BlockOperation.RecoverLease(path, readFile(in));
            case TRUNCATE -> new BlockOperation.Truncate(path, in.readLong());
            case CONCAT -> new BlockOperation.Concat(path, readPaths(in));
            case DELETE -> new NamespaceOperation.Delete(path, in.readBoolean());
            case BULK_DELETE -> readBulkDelete(path, in);
            case RENAME -> new NamespaceOperation.Rename(path, FsPath.of(in.readString()), in.readEnum(RENAME_MODES));
            case SET_PERMISSION -> new AttributeOperation.SetPermission(path, in.readInt());
            case SET_OWNER -> new AttributeOperation.SetOwner(path, in.readOptionalString(), in.readOptionalString());
            case SET_TIMES -> new AttributeOperation.SetTimes(path, in.readLong(), in.readLong());
            case GET_XATTRS -> new ReadOperation.GetXattrs(path, in.readBoolean());
            case SET_XATTR ->
                new AttributeOperation.SetXattr(
                        path, in.readString(), in.readBytes(), in.readBoolean(), in.readBoolean());
            case GET_SAFE_MODE -> new ReadOperation.GetSafeMode(path);
            case SET_SAFE_MODE -> new AttributeOperation.SetSafeMode(path, in.readBoolean());
            case GET_STORAGE_POLICY -> new ReadOperation.GetStoragePolicy(path);
            case LIST_DAMAGED -> new ReadOperation.ListDamaged(path, in.readString());
            case SET_STORAGE_POLICY -> new AttributeOperation.SetStoragePolicy(path, in.readString());
            case GET_ACL -> new ReadOperation.GetAcl(path);
            case CHANGE_ACL -> new AttributeOperation.ChangeAcl(path, in.readEnum(ACL_CHANGES), readEntries(in));
            case REMOVE_XATTR -> new AttributeOperation.RemoveXattr(path, in.readString());
            case ACCESS -> new ReadOperation.Access(path, in.readInt());
            case SET_REPLICATION -> new AttributeOperation.SetReplication(path, in.readInt());
        };
    }

    static List<AclEntry> readEntries(WireReader in) {
        try {
            return AclEntry.parse(in.readString());
        } catch (FsException e) {
            throw WireReader.bad(String.valueOf(e.getMessage()));
        }
    }

    private static List<FsPath> readPaths(WireReader in) {
        int count = in.readCount(1);
        List<FsPath> paths = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            paths.add(FsPath.of(in.readString()));
        }
        return paths;
    }

    private static List<FsPath> readPaths(FsPath first, WireReader in) {
        List<FsPath> paths = new ArrayList<>(List.of(first));
        paths.addAll(readPaths(in));
        return paths;
    }

    private static BulkDelete readBulkDelete(FsPath first, WireReader in) {
        RequestId id = new RequestId(in.readLong(), in.readLong(), in.readInt(), in.readLong());
        return new BulkDelete(id, readPaths(first, in));
    }

    private static OpenFile readFile(WireReader in) {
        return new OpenFile(in.readLong(), in.readLong());
    }

    private static long readOffset(WireReader in) {
        long offset = in.readLong();
        if (offset < 0) {
            throw WireReader.bad("an offset of " + offset);
        }
        return offset;
    }

    private static @Nullable Block readOptionalBlock(WireReader in) {
        return in.readBoolean() ? BlockWire.read(in) : null;
    }

    private static FileOperation.Create readCreate(FsPath path, int mode, int unmasked, WireReader in) {
        boolean overwrite = in.readBoolean();
        boolean createParents = in.readBoolean();
        int replication = in.readInt();
        long blockSize = in.readLong();
        byte @Nullable [] content = in.readOptionalBytes();
        FileOperation.@Nullable Imported imported =
                in.readBoolean() ? new FileOperation.Imported(in.readLong(), in.readLong()) : null;
        return new FileOperation.Create(
                path, mode, unmasked, overwrite, createParents, replication, blockSize, content, imported);
    }

    /** Writes each operation's number, path and fields; returns the given writer. */
    private record Writer(WireWriter out) implements Operation.Visitor<WireWriter> {
        private WireWriter begin(Operation<?> operation) {
            return begin(operation.kind().number(), operation);
        }

        private WireWriter begin(int number, Operation<?> operation) {
            out.writeByte(number);
            out.writeString(operation.path().toString());
            return out;
        }

        @Override
        public WireWriter stat(ReadOperation.Stat operation) {
            return begin(operation);
        }

        @Override
        public WireWriter list(ReadOperation.ListPage operation) {
            begin(operation);
            out.writeString(operation.startAfter());
            out.writeInt(operation.limit());
            return out;
        }

        @Override
        public WireWriter listEach(ReadOperation.ListEach operation) {
            begin(operation);
            writeAll(operation.paths().subList(1, operation.paths().size()));
            out.writeInt(operation.limit());
            return out;
        }

        private void writeAll(List<FsPath> paths) {
            out.writeSize(paths.size());
            paths.forEach(path -> out.writeString(path.toString()));
        }

        @Override
        public WireWriter open(ReadOperation.Open operation) {
            begin(operation.offset() == 0 ? operation.kind().number() : OPEN_AT, operation);
            if (operation.offset() != 0) {
                out.writeLong(operation.offset());
            }
            return out;
        }

        @Override
        public WireWriter access(ReadOperation.Access operation) {
            begin(operation);
            out.writeInt(operation.wanted());
            return out;
        }

        @Override
        public WireWriter xattrs(ReadOperation.GetXattrs operation) {
            begin(operation);
            out.writeBoolean(operation.withValues());
            return out;
        }

        @Override
        public WireWriter setXattr(AttributeOperation.SetXattr operation) {
            begin(operation);
            out.writeString(operation.name());
            out.writeBytes(operation.value());
            out.writeBoolean(operation.create());
            out.writeBoolean(operation.replace());
            return out;
        }

        @Override
        public WireWriter safeMode(ReadOperation.GetSafeMode operation) {
            return begin(operation);
        }

        @Override
        public WireWriter setSafeMode(AttributeOperation.SetSafeMode operation) {
            begin(operation);
            out.writeBoolean(operation.on());
            return out;
        }

        @Override
        public WireWriter storagePolicy(ReadOperation.GetStoragePolicy operation) {
            return begin(operation);
        }

        @Override
        public WireWriter listDamaged(ReadOperation.ListDamaged operation) {
            begin(operation);
            out.writeString(operation.after());
            return out;
        }

        @Override
        public WireWriter setStoragePolicy(AttributeOperation.SetStoragePolicy operation) {
            begin(operation);
            out.writeString(operation.policy());
            return out;
        }

        @Override
        public WireWriter acl(ReadOperation.GetAcl operation) {
            return begin(operation);
        }

        @Override
        public WireWriter changeAcl(AttributeOperation.ChangeAcl operation) {
            begin(operation);
            out.writeEnum(operation.change());
            out.writeString(AclEntry.text(operation.entries()));
            return out;
        }

        @Override
        public WireWriter removeXattr(AttributeOperation.RemoveXattr operation) {
            begin(operation);
            out.writeString(operation.name());
            return out;
        }

        private void beginMade(Operation<?> operation, int numberWithUmask, int mode, int unmasked) {
            begin(mode == unmasked ? operation.kind().number() : numberWithUmask, operation);
            out.writeInt(mode);
            if (mode != unmasked) {
                out.writeInt(unmasked);
            }
        }

        @Override
        public WireWriter mkdirs(NamespaceOperation.Mkdirs operation) {
            beginMade(operation, MKDIRS_UNMASKED, operation.mode(), operation.unmasked());
            out.writeBoolean(operation.createParents());
            return out;
        }

        @Override
        public WireWriter create(FileOperation.Create operation) {
            beginMade(operation, CREATE_UNMASKED, operation.mode(), operation.unmasked());
            out.writeBoolean(operation.overwrite());
            out.writeBoolean(operation.createParents());
            out.writeInt(operation.replication());
            out.writeLong(operation.blockSize());
            out.writeOptionalBytes(operation.content());
            FileOperation.Imported imported = operation.imported();
            out.writeBoolean(imported != null);
            if (imported != null) {
                out.writeLong(imported.size());
                out.writeLong(imported.mtime());
            }
            return out;
        }

        @Override
        public WireWriter complete(FileOperation.Complete operation) {
            OpenFile file = operation.file();
            if (operation.generation() != 0) {
                begin(COMPLETE_LEASED, operation);
                writeFile(file);
                out.writeLong(operation.generation());
                out.writeBytes(operation.content());
                return out;
            }
            begin(file.directoryId() == 0 ? operation.kind().number() : COMPLETE_IN_DIRECTORY, operation);
            out.writeLong(file.id());
            if (file.directoryId() != 0) {
                out.writeLong(file.directoryId());
            }
            out.writeBytes(operation.content());
            return out;
        }

        private void beginOnFile(Operation<?> operation, OpenFile file, long generation) {
            beginOnFile(operation.kind().number(), operation, file, generation);
        }

        private void beginOnFile(int number, Operation<?> operation, OpenFile file, long generation) {
            begin(number, operation);
            writeFile(file);
            out.writeLong(generation);
        }

        private void writeFile(OpenFile file) {
            out.writeLong(file.id());
            out.writeLong(file.directoryId());
        }

        private WireWriter writeReported(@Nullable Block block, byte[] receipt) {
            boolean proved = hasReceipt(block, receipt);
            if (!proved) {
                out.writeBoolean(block != null);
            }
            if (block != null) {
                BlockWire.write(out, block);
            }
            if (proved) {
                out.writeBytes(receipt);
            }
            return out;
        }

        private static boolean hasReceipt(@Nullable Block block, byte[] receipt) {
            return block != null && receipt.length > 0;
        }

        @Override
        public WireWriter addBlock(BlockOperation.AddBlock operation) {
            boolean proved = hasReceipt(operation.previous(), operation.receipt());
            int number = proved ? ADD_BLOCK_RECEIPT : operation.kind().number();
            beginOnFile(number, operation, operation.file(), operation.generation());
            out.writeInt(operation.index());
            return writeReported(operation.previous(), operation.receipt());
        }

        @Override
        public WireWriter completeBlocks(BlockOperation.CompleteBlocks operation) {
            boolean proved = hasReceipt(operation.last(), operation.receipt());
            int number = proved ? COMPLETE_BLOCKS_RECEIPT : operation.kind().number();
            beginOnFile(number, operation, operation.file(), operation.generation());
            out.writeInt(operation.blocks());
            return writeReported(operation.last(), operation.receipt());
        }

        @Override
        public WireWriter renewLease(BlockOperation.RenewLease operation) {
            beginOnFile(operation, operation.file(), operation.generation());
            return out;
        }

        @Override
        public WireWriter abandon(BlockOperation.Abandon operation) {
            beginOnFile(operation, operation.file(), operation.generation());
            return out;
        }

        @Override
        public WireWriter takeLease(BlockOperation.TakeLease operation) {
            begin(operation);
            out.writeBoolean(operation.force());
            return out;
        }

        @Override
        public WireWriter recoverLease(BlockOperation.RecoverLease operation) {
            begin(operation);
            writeFile(operation.file());
            return out;
        }

        @Override
        public WireWriter truncate(BlockOperation.Truncate operation) {
            begin(operation);
            out.writeLong(operation.length());
            return out;
        }

        @Override
        public WireWriter concat(BlockOperation.Concat operation) {
            begin(operation);
            writeAll(operation.sources());
            return out;
        }

        @Override
        public WireWriter delete(NamespaceOperation.Delete operation) {
            begin(operation);
            out.writeBoolean(operation.recursive());
            return out;
        }

        @Override
        public WireWriter bulkDelete(BulkDelete operation) {
            begin(operation);
            RequestId first = operation.first();
            out.writeLong(first.clientHigh());
            out.writeLong(first.clientLow());
            out.writeInt(first.slot());
            out.writeLong(first.sequence());
            writeAll(operation.paths().subList(1, operation.paths().size()));
            return out;
        }

        @Override
        public WireWriter rename(NamespaceOperation.Rename operation) {
            begin(operation);
            out.writeString(operation.destination().toString());
            out.writeEnum(operation.mode());
            return out;
        }

        @Override
        public WireWriter setPermission(AttributeOperation.SetPermission operation) {
            begin(operation);
            out.writeInt(operation.mode());
            return out;
        }

        @Override
        public WireWriter setOwner(AttributeOperation.SetOwner operation) {
            begin(operation);
            out.writeOptionalString(operation.owner());
            out.writeOptionalString(operation.group());
            return out;
        }

        @Override
        public WireWriter setTimes(AttributeOperation.SetTimes operation) {
            begin(operation);
            out.writeLong(operation.mtime());
            out.writeLong(operation.atime());
            return out;
        }

        @Override
        public WireWriter setReplication(AttributeOperation.SetReplication operation) {
            begin(operation);
            out.writeInt(operation.replication());
            return out;
        }
    }
}
