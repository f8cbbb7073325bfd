package io.lambdafs.coordinator.zookeeper;

import io.lambdafs.coordinator.Member;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import io.lambdafs.model.operation.Placement;

/** Encodes a member as its node's data: a version byte, then its fields as on the wire. Stateless. */
final class MemberData {
    private static final int VERSION = 3;
    /**
     * The version from before the number of deployments could change; still used for members of the first generation.
     */
    private static final int WITHOUT_GENERATION = 2;
    /** The version from before members could state that they cache nothing. */
    private static final int WITHOUT_CACHES = 1;

    private MemberData() {}

    static byte[] write(Member member) {
        WireWriter out = new WireWriter();
        boolean first = member.generation() == Placement.FIRST_GENERATION;
        out.writeByte(first ? WITHOUT_GENERATION : VERSION);
        out.writeInt(member.deployment());
        out.writeString(member.instance());
        out.writeString(member.host());
        out.writeInt(member.port());
        out.writeBoolean(member.caches());
        if (!first) {
            out.writeInt(member.generation());
        }
        return out.toByteArray();
    }

    static Member read(long epoch, byte[] data) {
        WireReader in = new WireReader(data);
        int version = in.readByte();
        if (version < WITHOUT_CACHES || version > VERSION) {
            throw new FsException(
                    ErrorCode.INTERNAL,
                    "the membership of epoch " + epoch + " has format " + version
                            + ", which this version does not know");
        }
        Member member = new Member(
                epoch,
                in.readInt(),
                in.readString(),
                in.readString(),
                in.readInt(),
                version == WITHOUT_CACHES || in.readBoolean(),
                version < VERSION ? Placement.FIRST_GENERATION : in.readInt());
        in.expectEnd();
        return member;
    }
}
