package io.lambdafs.store.server;

import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import io.lambdafs.rpc.message.Codec;
import io.lambdafs.rpc.message.RpcMessages;
import io.lambdafs.store.Guard;
import io.lambdafs.store.GuardedCommit;
import io.lambdafs.store.Key;
import io.lambdafs.store.LockMode;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.RowSum;
import io.lambdafs.store.Scan;
import io.lambdafs.store.SnapshotScan;
import io.lambdafs.store.Table;
import io.lambdafs.store.server.StoreMessage.Abort;
import io.lambdafs.store.server.StoreMessage.CloseSnapshot;
import io.lambdafs.store.server.StoreMessage.Commit;
import io.lambdafs.store.server.StoreMessage.CommitIf;
import io.lambdafs.store.server.StoreMessage.Fence;
import io.lambdafs.store.server.StoreMessage.FoundRows;
import io.lambdafs.store.server.StoreMessage.MoreRows;
import io.lambdafs.store.server.StoreMessage.Name;
import io.lambdafs.store.server.StoreMessage.OpenSnapshot;
import io.lambdafs.store.server.StoreMessage.ReadAndEnd;
import io.lambdafs.store.server.StoreMessage.ReadRows;
import io.lambdafs.store.server.StoreMessage.ScanRows;
import io.lambdafs.store.server.StoreMessage.ScanSnapshot;
import io.lambdafs.store.server.StoreMessage.SnapshotOpen;
import io.lambdafs.store.server.StoreMessage.SumSnapshot;
import io.lambdafs.store.server.StoreMessage.SummedRows;
import io.lambdafs.store.server.StoreMessage.Supersede;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Registers the store's messages, numbers 300–399, which never change their meaning. Stateless. */
public final class StoreMessages {
    private static final int READ_ROWS = 300;
    private static final int SCAN_ROWS = 301;
    private static final int MORE_ROWS = 302;
    private static final int COMMIT = 303;
    private static final int ABORT = 304;
    private static final int FENCE = 305;
    private static final int FOUND_ROWS = 306;
    private static final int READ_AND_END = 307;
    private static final int COMMIT_IF = 308;
    private static final int SUPERSEDE = 309;
    private static final int OPEN_SNAPSHOT = 310;
    private static final int SNAPSHOT_OPEN = 311;
    private static final int SCAN_SNAPSHOT = 312;
    private static final int CLOSE_SNAPSHOT = 313;
    private static final int SUM_SNAPSHOT = 314;
    private static final int SUMMED_ROWS = 315;

    private static final LockMode[] LOCK_MODES = LockMode.values();

    private StoreMessages() {}

    /** Returns a codec of the store's and rpc's messages. */
    public static Codec codec() {
        return register(RpcMessages.register(Codec.builder())).build();
    }

    /** Adds these messages to a codec builder. */
    public static Codec.Builder register(Codec.Builder builder) {
        return builder.answeredAtOnce(ReadRows.class, read -> true)
                .answeredAtOnce(ReadAndEnd.class, read -> true)
                .register(READ_ROWS, ReadRows.class, StoreMessages::writeRead, StoreMessages::readRead)
                .register(SCAN_ROWS, ScanRows.class, StoreMessages::writeScan, StoreMessages::readScan)
                .register(
                        MORE_ROWS,
                        MoreRows.class,
                        (out, m) -> out.writeLong(m.transaction()),
                        in -> new MoreRows(in.readLong()))
                .register(COMMIT, Commit.class, StoreMessages::writeCommit, StoreMessages::readCommit)
                .register(
                        ABORT, Abort.class, (out, m) -> out.writeLong(m.transaction()), in -> new Abort(in.readLong()))
                .register(FENCE, Fence.class, (out, m) -> out.writeLong(m.epoch()), in -> new Fence(in.readLong()))
                .register(FOUND_ROWS, FoundRows.class, StoreMessages::writeFound, StoreMessages::readFound)
                .register(READ_AND_END, ReadAndEnd.class, StoreMessages::writeReadAndEnd, StoreMessages::readReadAndEnd)
                .register(COMMIT_IF, CommitIf.class, StoreMessages::writeCommitIf, StoreMessages::readCommitIf)
                .register(
                        SUPERSEDE,
                        Supersede.class,
                        (out, m) -> out.writeString(m.client()),
                        in -> new Supersede(in.readString()))
                .register(OPEN_SNAPSHOT, OpenSnapshot.class, (out, m) -> {}, in -> new OpenSnapshot())
                .register(
                        SNAPSHOT_OPEN,
                        SnapshotOpen.class,
                        (out, m) -> out.writeString(m.name()),
                        in -> new SnapshotOpen(in.readString()))
                .register(
                        SCAN_SNAPSHOT,
                        ScanSnapshot.class,
                        (out, m) -> writeSnapshotScan(out, m.scan()),
                        in -> new ScanSnapshot(readSnapshotScan(in)))
                .register(
                        CLOSE_SNAPSHOT,
                        CloseSnapshot.class,
                        (out, m) -> out.writeString(m.name()),
                        in -> new CloseSnapshot(in.readString()))
                .register(
                        SUM_SNAPSHOT,
                        SumSnapshot.class,
                        (out, m) -> {
                            writeSnapshotScan(out, m.scan());
                            out.writeInt(m.most());
                        },
                        in -> new SumSnapshot(readSnapshotScan(in), in.readInt()))
                .register(SUMMED_ROWS, SummedRows.class, StoreMessages::writeSum, StoreMessages::readSum);
    }

    private static void writeName(WireWriter out, Name name) {
        out.writeLong(name.id());
        out.writeBoolean(name.first());
        out.writeLong(name.epoch());
    }

    private static Name readName(WireReader in) {
        return new Name(in.readLong(), in.readBoolean(), in.readLong());
    }

    private static void writeReads(WireWriter out, List<Read> reads) {
        out.writeSize(reads.size());
        for (Read read : reads) {
            RowWire.writeKey(out, read.key());
            out.writeByte(lockNumber(read.lock()));
        }
    }

    private static List<Read> readReads(WireReader in) {
        int count = in.readCount(3);
        List<Read> reads = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            reads.add(new Read(RowWire.readKey(in), in.readEnum(LOCK_MODES)));
        }
        return reads;
    }

    private static void writeRead(WireWriter out, ReadRows message) {
        writeName(out, message.transaction());
        writeReads(out, message.reads());
        out.writeLong(message.lockWaitNanos());
    }

    private static ReadRows readRead(WireReader in) {
        return new ReadRows(readName(in), readReads(in), in.readLong());
    }

    private static void writeReadAndEnd(WireWriter out, ReadAndEnd message) {
        writeName(out, message.transaction());
        writeReads(out, message.reads());
        out.writeLong(message.lockWaitNanos());
    }

    private static ReadAndEnd readReadAndEnd(WireReader in) {
        return new ReadAndEnd(readName(in), readReads(in), in.readLong());
    }

    private static int lockNumber(LockMode mode) {
        return switch (mode) {
            case NONE -> 0;
            case SHARED -> 1;
            case EXCLUSIVE -> 2;
        };
    }

    private static void writeScan(WireWriter out, ScanRows message) {
        writeName(out, message.transaction());
        Scan scan = message.scan();
        out.writeByte(scan.table().number());
        RowWire.writePart(out, scan.partition());
        Object after = scan.after();
        out.writeBoolean(after != null);
        if (after != null) {
            RowWire.writePart(out, after);
        }
        out.writeInt(scan.limit());
    }

    private static ScanRows readScan(WireReader in) {
        Name name = readName(in);
        Table table = RowWire.readTable(in);
        if (table.keyColumns().size() != 2) {
            throw WireReader.bad(table + " cannot be scanned");
        }
        Object partition = RowWire.readPart(in, table.keyType(0));
        Object after = in.readBoolean() ? RowWire.readPart(in, table.keyType(1)) : null;
        int limit = in.readInt();
        if (limit < 1 || limit > Scan.MAX_LIMIT) {
            throw WireReader.bad("a scan of " + limit + " rows");
        }
        return new ScanRows(name, new Scan(table, partition, after, limit));
    }

    private static void writeSnapshotScan(WireWriter out, SnapshotScan scan) {
        out.writeString(scan.snapshot());
        out.writeByte(scan.table().number());
        writeOptional(out, scan.after());
    }

    private static SnapshotScan readSnapshotScan(WireReader in) {
        String name = in.readString();
        Table table = RowWire.readTable(in);
        Key after = readOptional(in);
        if (!table.hasRows() || (after != null && !after.table().equals(table))) {
            throw WireReader.bad("not a page of " + table);
        }
        return new SnapshotScan(name, table, after);
    }

    private static void writeOptional(WireWriter out, @Nullable Key key) {
        out.writeBoolean(key != null);
        if (key != null) {
            RowWire.writeKey(out, key);
        }
    }

    private static @Nullable Key readOptional(WireReader in) {
        return in.readBoolean() ? RowWire.readKey(in) : null;
    }

    private static void writeSum(WireWriter out, SummedRows message) {
        out.writeLong(message.sum().rows());
        writeOptional(out, message.sum().last());
        out.writeLong(message.sum().checksum());
    }

    private static SummedRows readSum(WireReader in) {
        return new SummedRows(new RowSum(in.readLong(), readOptional(in), in.readLong()));
    }

    private static void writeMutations(WireWriter out, List<Mutation> mutations) {
        out.writeSize(mutations.size());
        for (Mutation mutation : mutations) {
            RowWire.writeMutation(out, mutation);
        }
    }

    private static List<Mutation> readMutations(WireReader in) {
        int count = in.readCount(3);
        List<Mutation> mutations = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            mutations.add(RowWire.readMutation(in));
        }
        return mutations;
    }

    private static void writeCommit(WireWriter out, Commit message) {
        writeName(out, message.transaction());
        writeMutations(out, message.mutations());
        out.writeLong(message.deadlineMillis());
    }

    private static Commit readCommit(WireReader in) {
        return new Commit(readName(in), readMutations(in), in.readLong());
    }

    private static void writeCommitIf(WireWriter out, CommitIf message) {
        writeName(out, message.transaction());
        GuardedCommit commit = message.commit();
        writeReads(out, commit.reads());
        for (Guard guard : commit.guards()) {
            RowWire.writeGuard(out, guard);
        }
        writeMutations(out, commit.mutations());
        out.writeLong(commit.deadlineMillis());
    }

    private static CommitIf readCommitIf(WireReader in) {
        Name name = readName(in);
        List<Read> reads = readReads(in);
        List<Guard> guards = new ArrayList<>(reads.size());
        for (int i = 0; i < reads.size(); i++) {
            guards.add(RowWire.readGuard(in, reads.get(i).key().table()));
        }
        return new CommitIf(name, new GuardedCommit(reads, guards, readMutations(in), in.readLong()));
    }

    private static void writeFound(WireWriter out, FoundRows message) {
        out.writeSize(message.rows().size());
        for (Row row : message.rows()) {
            out.writeBoolean(row != null);
            if (row != null) {
                RowWire.writeRow(out, row);
            }
        }
        out.writeBoolean(message.more());
    }

    private static FoundRows readFound(WireReader in) {
        int count = in.readCount(1);
        List<@Nullable Row> rows = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            rows.add(in.readBoolean() ? RowWire.readRow(in) : null);
        }
        return new FoundRows(rows, in.readBoolean());
    }
}
