package io.lambdafs.rpc;

import io.lambdafs.model.Block;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.OpenFile;
import io.lambdafs.model.Operation;
import io.lambdafs.rpc.block.BlockMessages;
import org.jspecify.annotations.Nullable;

/**
 * Operations on the wire: a number in one byte, then the fields. Paths travel as text and are parsed again by whoever reads them,
 * so that nothing unchecked enters by a frame. Stateless.
 */
final class OperationWire {
    static final int ACCESS = 109;
    static final int STAT = 110;
    static final int LIST_PAGE = 111;
    static final int OPEN = 112;
    static final int MKDIRS = 113;
    static final int CREATE = 114;
    /** Where the directory of the file is not known. */
    static final int COMPLETE = 115;

    static final int DELETE = 116;
    static final int RENAME = 117;
    static final int SET_PERMISSION = 118;
    static final int SET_OWNER = 119;
    static final int SET_TIMES = 120;
    static final int SET_REPLICATION = 121;
    static final int COMPLETE_IN_DIRECTORY = 127;
    static final int ADD_BLOCK = 128;
    static final int COMPLETE_BLOCKS = 129;
    static final int RENEW_LEASE = 130;
    static final int ABANDON = 131;
    static final int TAKE_LEASE = 132;
    static final int OPEN_AT = 133;

    private static final Operation.RenameMode[] RENAME_MODES = Operation.RenameMode.values();

    private OperationWire() {}

    static void write(WireWriter out, Operation<?> operation) {
        operation.accept(new Writer(out));
    }

    /**
     * Reads one operation.
     *
     * @throws io.lambdafs.model.FsException {@code BAD_FRAME}; or, from the checks of the operation itself, {@code INVALID_PATH},
     *     {@code INVALID_ARGUMENT} or {@code NEEDS_DATANODE}
     */
    static Operation<?> read(WireReader in) {
        int number = in.readByte() & 0xff;
        FsPath path = FsPath.of(in.readString());
        return switch (number) {
            case STAT -> new Operation.Stat(path);
            case LIST_PAGE -> new Operation.ListPage(path, in.readString(), in.readInt());
            case OPEN -> new Operation.Open(path);
            case MKDIRS -> new Operation.Mkdirs(path, in.readInt(), in.readBoolean());
            case CREATE -> readCreate(path, in);
            case COMPLETE -> new Operation.Complete(path, new OpenFile(in.readLong(), 0), in.readBytes());
            case COMPLETE_IN_DIRECTORY ->
                new Operation.Complete(path, new OpenFile(in.readLong(), in.readLong()), in.readBytes());
            case ADD_BLOCK ->
                new Operation.AddBlock(path, readFile(in), in.readLong(), in.readInt(), readOptionalBlock(in));
            case COMPLETE_BLOCKS ->
                new Operation.CompleteBlocks(path, readFile(in), in.readLong(), in.readInt(), readOptionalBlock(in));
            case RENEW_LEASE -> new Operation.RenewLease(path, readFile(in), in.readLong());
            case ABANDON -> new Operation.Abandon(path, readFile(in), in.readLong());
            case TAKE_LEASE -> new Operation.TakeLease(path);
            case OPEN_AT -> new Operation.Open(path, readOffset(in));
            case DELETE -> new Operation.Delete(path, in.readBoolean());
            case RENAME -> new Operation.Rename(path, FsPath.of(in.readString()), in.readEnum(RENAME_MODES));
            case SET_PERMISSION -> new Operation.SetPermission(path, in.readInt());
            case SET_OWNER -> new Operation.SetOwner(path, in.readOptionalString(), in.readOptionalString());
            case SET_TIMES -> new Operation.SetTimes(path, in.readLong(), in.readLong());
            case ACCESS -> new Operation.Access(path, in.readInt());
            case SET_REPLICATION -> new Operation.SetReplication(path, in.readInt());
            default -> throw WireReader.bad("unknown operation " + number);
        };
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
        return in.readBoolean() ? BlockMessages.readBlock(in) : null;
    }

    private static Operation.Create readCreate(FsPath path, WireReader in) {
        int mode = in.readInt();
        boolean overwrite = in.readBoolean();
        boolean createParents = in.readBoolean();
        int replication = in.readInt();
        long blockSize = in.readLong();
        byte @Nullable [] content = in.readOptionalBytes();
        Operation.@Nullable Imported imported =
                in.readBoolean() ? new Operation.Imported(in.readLong(), in.readLong()) : null;
        return new Operation.Create(path, mode, overwrite, createParents, replication, blockSize, content, imported);
    }

    /** Writes each operation's number, path and fields; answers the writer that it was given. */
    private record Writer(WireWriter out) implements Operation.Visitor<WireWriter> {
        private WireWriter begin(int number, Operation<?> operation) {
            out.writeByte(number);
            out.writeString(operation.path().toString());
            return out;
        }

        @Override
        public WireWriter stat(Operation.Stat operation) {
            return begin(STAT, operation);
        }

        @Override
        public WireWriter list(Operation.ListPage operation) {
            begin(LIST_PAGE, operation);
            out.writeString(operation.startAfter());
            out.writeInt(operation.limit());
            return out;
        }

        @Override
        public WireWriter open(Operation.Open operation) {
            begin(operation.offset() == 0 ? OPEN : OPEN_AT, operation);
            if (operation.offset() != 0) {
                out.writeLong(operation.offset());
            }
            return out;
        }

        @Override
        public WireWriter access(Operation.Access operation) {
            begin(ACCESS, operation);
            out.writeInt(operation.wanted());
            return out;
        }

        @Override
        public WireWriter mkdirs(Operation.Mkdirs operation) {
            begin(MKDIRS, operation);
            out.writeInt(operation.mode());
            out.writeBoolean(operation.createParents());
            return out;
        }

        @Override
        public WireWriter create(Operation.Create operation) {
            begin(CREATE, operation);
            out.writeInt(operation.mode());
            out.writeBoolean(operation.overwrite());
            out.writeBoolean(operation.createParents());
            out.writeInt(operation.replication());
            out.writeLong(operation.blockSize());
            out.writeOptionalBytes(operation.content());
            Operation.Imported imported = operation.imported();
            out.writeBoolean(imported != null);
            if (imported != null) {
                out.writeLong(imported.size());
                out.writeLong(imported.mtime());
            }
            return out;
        }

        @Override
        public WireWriter complete(Operation.Complete operation) {
            OpenFile file = operation.file();
            begin(file.directoryId() == 0 ? COMPLETE : COMPLETE_IN_DIRECTORY, operation);
            out.writeLong(file.id());
            if (file.directoryId() != 0) {
                out.writeLong(file.directoryId());
            }
            out.writeBytes(operation.content());
            return out;
        }

        private void beginOnFile(int number, Operation<?> operation, OpenFile file, long generation) {
            begin(number, operation);
            out.writeLong(file.id());
            out.writeLong(file.directoryId());
            out.writeLong(generation);
        }

        private void writeOptional(@Nullable Block block) {
            out.writeBoolean(block != null);
            if (block != null) {
                BlockMessages.writeBlock(out, block);
            }
        }

        @Override
        public WireWriter addBlock(Operation.AddBlock operation) {
            beginOnFile(ADD_BLOCK, operation, operation.file(), operation.generation());
            out.writeInt(operation.index());
            writeOptional(operation.previous());
            return out;
        }

        @Override
        public WireWriter completeBlocks(Operation.CompleteBlocks operation) {
            beginOnFile(COMPLETE_BLOCKS, operation, operation.file(), operation.generation());
            out.writeInt(operation.blocks());
            writeOptional(operation.last());
            return out;
        }

        @Override
        public WireWriter renewLease(Operation.RenewLease operation) {
            beginOnFile(RENEW_LEASE, operation, operation.file(), operation.generation());
            return out;
        }

        @Override
        public WireWriter abandon(Operation.Abandon operation) {
            beginOnFile(ABANDON, operation, operation.file(), operation.generation());
            return out;
        }

        @Override
        public WireWriter takeLease(Operation.TakeLease operation) {
            return begin(TAKE_LEASE, operation);
        }

        @Override
        public WireWriter delete(Operation.Delete operation) {
            begin(DELETE, operation);
            out.writeBoolean(operation.recursive());
            return out;
        }

        @Override
        public WireWriter rename(Operation.Rename operation) {
            begin(RENAME, operation);
            out.writeString(operation.destination().toString());
            out.writeEnum(operation.mode());
            return out;
        }

        @Override
        public WireWriter setPermission(Operation.SetPermission operation) {
            begin(SET_PERMISSION, operation);
            out.writeInt(operation.mode());
            return out;
        }

        @Override
        public WireWriter setOwner(Operation.SetOwner operation) {
            begin(SET_OWNER, operation);
            out.writeOptionalString(operation.owner());
            out.writeOptionalString(operation.group());
            return out;
        }

        @Override
        public WireWriter setTimes(Operation.SetTimes operation) {
            begin(SET_TIMES, operation);
            out.writeLong(operation.mtime());
            out.writeLong(operation.atime());
            return out;
        }

        @Override
        public WireWriter setReplication(Operation.SetReplication operation) {
            begin(SET_REPLICATION, operation);
            out.writeInt(operation.replication());
            return out;
        }
    }
}
