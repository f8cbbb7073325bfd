package io.lambdafs.rpc.message;

import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import io.lambdafs.model.inode.Acl;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.INode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Encodes attributes on the wire. Single attributes are written in full; in a listing, numbers are deltas to the
 * previous entry and owners and groups are indexes into a table, which reduces a typical entry to its name plus about
 * 20 bytes. Stateless but for {@link Sequence}.
 */
final class AttributesWire {
    /** Minimum bytes of one entry. */
    static final int MIN_BYTES = 12;

    /** Flag in the mode: there is an ACL. Hadoop uses the same bit, and builds that do not know it ignore it. */
    private static final int HAS_ACL = 1 << 12;

    private static final INode.Kind[] KINDS = INode.Kind.values();
    private static final Attributes ZERO =
            new Attributes("", 0, new INode.Traits(INode.Kind.FILE, "", "", 0, 0, 0, INode.Content.NONE), 0, 0, 0, 0);

    private AttributesWire() {}

    static void write(WireWriter out, Attributes attributes) {
        out.writeString(attributes.owner());
        out.writeString(attributes.group());
        writeRest(out, attributes, ZERO);
    }

    static Attributes read(WireReader in) {
        return readRest(in, in.readString(), in.readString(), ZERO);
    }

    // A test freezes the order of the kinds.
    @SuppressWarnings("EnumOrdinal")
    private static void writeRest(WireWriter out, Attributes a, Attributes before) {
        out.writeString(a.name());
        out.writeByte(a.kind().ordinal() << 4 | a.content().number());
        out.writeLong(a.id() - before.id());
        out.writeLong((long) mode(a) - mode(before));
        out.writeLong(a.size());
        out.writeLong(a.mtime() - before.mtime());
        out.writeLong(a.atime() - a.mtime());
        out.writeLong((long) a.replication() - before.replication());
        out.writeLong(a.blockSize() - before.blockSize());
        out.writeLong(a.children());
    }

    private static Attributes readRest(WireReader in, String owner, String group, Attributes before) {
        String name = in.readString();
        int flags = in.readByte();
        INode.Kind kind = known(kind(flags >> 4), flags);
        INode.Content content = known(INode.Content.of(flags & 0xf), flags);
        long id = in.readLong() + before.id();
        int mode = int32(in.readLong() + mode(before));
        long size = in.readLong();
        long mtime = in.readLong() + before.mtime();
        long atime = in.readLong() + mtime;
        int replication = int32(in.readLong() + before.replication());
        long blockSize = in.readLong() + before.blockSize();
        Acl acl = (mode & HAS_ACL) == 0 ? null : Acl.UNTOLD;
        INode.Traits traits =
                new INode.Traits(kind, owner, group, mode & ~HAS_ACL, replication, blockSize, content, 0, acl, "", 0);
        INode.Traits shared = traits.equals(before.traits()) ? before.traits() : traits;
        return new Attributes(name, id, shared, size, mtime, atime, in.readLong());
    }

    private static int mode(Attributes a) {
        return a.hasAcl() ? a.mode() | HAS_ACL : a.mode();
    }

    private static INode.@Nullable Kind kind(int number) {
        return number < 0 || number >= KINDS.length ? null : KINDS[number];
    }

    private static <E extends Enum<E>> E known(@Nullable E constant, int flags) {
        if (constant == null) {
            throw WireReader.bad("no such kind or content: " + flags);
        }
        return constant;
    }

    private static int int32(long value) {
        if (value != (int) value) {
            throw WireReader.bad("not a 32-bit number: " + value);
        }
        return (int) value;
    }

    /** The entries of one listing, written or read in order by one instance. Not thread-safe. */
    static final class Sequence {
        /** Owners and groups beyond this many are spelled out each time. */
        private static final int MAX_NAMES = 100;

        private static final int SPELLED_OUT = 0;

        private final List<String> names = new ArrayList<>();
        private Attributes before = ZERO;

        void write(WireWriter out, Attributes attributes) {
            writeName(out, attributes.owner());
            writeName(out, attributes.group());
            writeRest(out, attributes, before);
            before = attributes;
        }

        Attributes read(WireReader in) {
            before = readRest(in, readName(in), readName(in), before);
            return before;
        }

        private void writeName(WireWriter out, String name) {
            int known = names.indexOf(name);
            if (known >= 0) {
                out.writeByte(known + 1);
                return;
            }
            out.writeByte(SPELLED_OUT);
            out.writeString(name);
            if (names.size() < MAX_NAMES) {
                names.add(name);
            }
        }

        private String readName(WireReader in) {
            int number = in.readByte();
            if (number != SPELLED_OUT) {
                if (number < 0 || number > names.size()) {
                    throw WireReader.bad("no such owner or group: " + number);
                }
                return names.get(number - 1);
            }
            String name = in.readString();
            if (names.size() < MAX_NAMES) {
                names.add(name);
            }
            return name;
        }
    }
}
