package io.lambdafs.rpc.message;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import io.lambdafs.model.block.LocatedBlock;
import io.lambdafs.model.inode.AclEntry;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.Quota;
import io.lambdafs.model.operation.Difference;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.model.operation.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Encodes replies on the wire: a number in one byte, then the fields. Stateless. */
final class ReplyWire {
    static final int STATUS = 122;
    static final int PAGE = 123;
    static final int OPENED = 124;
    static final int DONE = 125;
    static final int FAILURE = 126;
    static final int MADE = 127;
    static final int OPENED_BLOCKS = 128;
    static final int BLOCK_ADDED = 129;
    static final int LEASED = 130;
    static final int XATTRS = 131;
    static final int ACL = 132;
    static final int STORAGE_POLICY = 133;
    static final int RESIZED = 134;
    static final int OUTCOMES = 135;
    static final int DAMAGED = 136;
    static final int TOTALS = 138;
    static final int TOTALS_WITH_QUOTA = 139;
    static final int DIFFERENCES = 140;
    /** Minimum bytes of a located block. */
    private static final int MIN_BLOCK_BYTES = 9;

    private static final Writer WRITER = new Writer();

    private ReplyWire() {}

    static void write(WireWriter out, Reply reply) {
        reply.accept(WRITER, out);
    }

    static Reply read(WireReader in) {
        return read(in.readByte() & 0xff, in);
    }

    private static Reply read(int number, WireReader in) {
        return switch (number) {
            case STATUS -> new Reply.Status(AttributesWire.read(in));
            case MADE -> new Reply.Status(AttributesWire.read(in), in.readLong());
            case PAGE -> readPage(in);
            case OPENED -> new Reply.Opened(AttributesWire.read(in), in.readOptionalBytes());
            case OPENED_BLOCKS -> new Reply.Opened(AttributesWire.read(in), in.readOptionalBytes(), readBlocks(in));
            case BLOCK_ADDED -> new Reply.BlockAdded(LocatedBlockWire.read(in));
            case LEASED -> readLeased(in);
            case XATTRS -> readXattrs(in);
            case ACL -> new Reply.AclStatus(in.readString(), in.readString(), in.readInt(), AclEntry.read(in));
            case STORAGE_POLICY -> new Reply.StoragePolicy(in.readString(), readNames(in));
            case DAMAGED -> readDamaged(in);
            case TOTALS -> new Reply.Totals(in.readLong(), in.readLong(), in.readLong(), in.readLong());
            case TOTALS_WITH_QUOTA ->
                new Reply.Totals(in.readLong(), in.readLong(), in.readLong(), in.readLong(), readQuota(in));
            case DIFFERENCES -> readDifferences(in);
            case DONE -> in.readBoolean() ? Reply.Done.YES : Reply.Done.NO;
            case FAILURE -> new Reply.Failure(ErrorCode.of(in.readInt()), in.readString());
            case RESIZED -> new Reply.Failure(ErrorCode.of(in.readInt()), in.readString(), readPlacement(in));
            case OUTCOMES -> readOutcomes(in);
            default -> throw WireReader.bad("unknown reply " + number);
        };
    }

    private static Reply.Outcomes readOutcomes(WireReader in) {
        int count = in.readCount(2);
        List<Reply> outcomes = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int number = in.readByte() & 0xff;
            if (number != DONE && number != PAGE && number != FAILURE && number != RESIZED) {
                throw WireReader.bad("reply " + number + " as the outcome of one of many");
            }
            outcomes.add(read(number, in));
        }
        return new Reply.Outcomes(outcomes);
    }

    private static List<String> readNames(WireReader in) {
        int count = in.readCount(1);
        List<String> names = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            names.add(in.readString());
        }
        return names;
    }

    private static Reply.Damaged readDamaged(WireReader in) {
        int count = in.readCount(1);
        List<Long> files = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            files.add(in.readLong());
        }
        return new Reply.Damaged(files, in.readString());
    }

    private static Reply.Differences readDifferences(WireReader in) {
        int count = in.readCount(3);
        List<Difference> all = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            all.add(new Difference(Difference.Kind.of(in.readLong()), in.readString(), in.readString()));
        }
        return new Reply.Differences(all, in.readString());
    }

    private static Placement readPlacement(WireReader in) {
        int generation = in.readInt();
        int deployments = in.readInt();
        try {
            return new Placement(generation, deployments);
        } catch (IllegalArgumentException invalid) {
            throw WireReader.bad(String.valueOf(invalid.getMessage()));
        }
    }

    private static Quota readQuota(WireReader in) {
        return new Quota(in.readLong(), in.readLong());
    }

    private static Reply.Xattrs readXattrs(WireReader in) {
        int count = in.readCount(2);
        SortedMap<String, byte[]> values = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            values.put(in.readString(), in.readBytes());
        }
        return new Reply.Xattrs(values);
    }

    private static Reply.Leased readLeased(WireReader in) {
        Attributes attributes = AttributesWire.read(in);
        long directoryId = in.readLong();
        long generation = in.readLong();
        int blocks = in.readInt();
        if (blocks < 0) {
            throw WireReader.bad("a file of " + blocks + " blocks");
        }
        return new Reply.Leased(attributes, directoryId, generation, blocks, in.readOptionalBytes());
    }

    private static List<LocatedBlock> readBlocks(WireReader in) {
        int count = in.readCount(MIN_BLOCK_BYTES);
        List<LocatedBlock> blocks = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            blocks.add(LocatedBlockWire.read(in));
        }
        return blocks;
    }

    private static void writePage(WireWriter out, Reply.Page page) {
        out.writeBoolean(page.more());
        List<Attributes> entries = page.entries();
        out.writeSize(entries.size());
        AttributesWire.Sequence sequence = new AttributesWire.Sequence();
        for (int i = 0; i < entries.size(); i++) {
            sequence.write(out, entries.get(i));
        }
    }

    private static Reply.Page readPage(WireReader in) {
        boolean more = in.readBoolean();
        int count = in.readCount(AttributesWire.MIN_BYTES);
        if (count > Operation.MAX_PAGE) {
            throw WireReader.bad("a page of " + count + " entries");
        }
        List<Attributes> entries = new ArrayList<>(count);
        AttributesWire.Sequence sequence = new AttributesWire.Sequence();
        for (int i = 0; i < count; i++) {
            entries.add(sequence.read(in));
        }
        return new Reply.Page(entries, more);
    }

    /** Writes each reply's number and fields. */
    private static final class Writer implements Reply.Visitor<WireWriter> {
        @Override
        public void status(Reply.Status status, WireWriter out) {
            out.writeByte(status.directoryId() == 0 ? STATUS : MADE);
            AttributesWire.write(out, status.attributes());
            if (status.directoryId() != 0) {
                out.writeLong(status.directoryId());
            }
        }

        @Override
        public void page(Reply.Page page, WireWriter out) {
            out.writeByte(PAGE);
            writePage(out, page);
        }

        @Override
        public void opened(Reply.Opened opened, WireWriter out) {
            out.writeByte(opened.blocks().isEmpty() ? OPENED : OPENED_BLOCKS);
            AttributesWire.write(out, opened.attributes());
            out.writeOptionalBytes(opened.content());
            if (!opened.blocks().isEmpty()) {
                out.writeSize(opened.blocks().size());
                opened.blocks().forEach(block -> LocatedBlockWire.write(out, block));
            }
        }

        @Override
        public void blockAdded(Reply.BlockAdded added, WireWriter out) {
            out.writeByte(BLOCK_ADDED);
            LocatedBlockWire.write(out, added.block());
        }

        @Override
        public void leased(Reply.Leased leased, WireWriter out) {
            out.writeByte(LEASED);
            AttributesWire.write(out, leased.attributes());
            out.writeLong(leased.directoryId());
            out.writeLong(leased.generation());
            out.writeInt(leased.blocks());
            out.writeOptionalBytes(leased.head());
        }

        @Override
        public void xattrs(Reply.Xattrs xattrs, WireWriter out) {
            out.writeByte(XATTRS);
            out.writeSize(xattrs.values().size());
            xattrs.values().forEach((name, value) -> {
                out.writeString(name);
                out.writeBytes(value);
            });
        }

        @Override
        public void acl(Reply.AclStatus acl, WireWriter out) {
            out.writeByte(ACL);
            out.writeString(acl.owner());
            out.writeString(acl.group());
            out.writeInt(acl.mode());
            out.writeString(AclEntry.text(acl.entries()));
        }

        @Override
        public void storagePolicy(Reply.StoragePolicy policy, WireWriter out) {
            out.writeByte(STORAGE_POLICY);
            out.writeString(policy.policy());
            out.writeSize(policy.stores().size());
            policy.stores().forEach(out::writeString);
        }

        @Override
        public void damaged(Reply.Damaged damaged, WireWriter out) {
            out.writeByte(DAMAGED);
            out.writeSize(damaged.files().size());
            damaged.files().forEach(out::writeLong);
            out.writeString(damaged.next());
        }

        @Override
        public void differences(Reply.Differences differences, WireWriter out) {
            out.writeByte(DIFFERENCES);
            out.writeSize(differences.all().size());
            for (Difference each : differences.all()) {
                out.writeLong(each.kind().number());
                out.writeString(each.path());
                out.writeString(each.target());
            }
            out.writeString(differences.next());
        }

        @Override
        public void totals(Reply.Totals totals, WireWriter out) {
            Quota quota = totals.quota();
            boolean limited = !quota.equals(Quota.UNLIMITED);
            out.writeByte(limited ? TOTALS_WITH_QUOTA : TOTALS);
            out.writeLong(totals.files());
            out.writeLong(totals.directories());
            out.writeLong(totals.bytes());
            out.writeLong(totals.space());
            if (limited) {
                out.writeLong(quota.names());
                out.writeLong(quota.space());
            }
        }

        @Override
        public void done(Reply.Done done, WireWriter out) {
            out.writeByte(DONE);
            out.writeBoolean(done.changed());
        }

        @Override
        public void outcomes(Reply.Outcomes each, WireWriter out) {
            out.writeByte(OUTCOMES);
            out.writeSize(each.outcomes().size());
            each.outcomes().forEach(outcome -> write(out, outcome));
        }

        @Override
        public void failure(Reply.Failure failure, WireWriter out) {
            Placement placement = failure.placement();
            out.writeByte(placement == null ? FAILURE : RESIZED);
            out.writeInt(failure.code().number());
            out.writeString(failure.message());
            if (placement != null) {
                out.writeInt(placement.generation());
                out.writeInt(placement.deployments());
            }
        }
    }
}
