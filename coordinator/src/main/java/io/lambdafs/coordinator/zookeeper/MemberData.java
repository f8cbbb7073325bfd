package io.lambdafs.coordinator.zookeeper;

import io.lambdafs.coordinator.Member;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.WireReader;
import io.lambdafs.rpc.WireWriter;

/** A member as the data of its node: a version byte, then its fields as on the wire. Stateless. */
final class MemberData {
    private static final int VERSION = 2;
    /** Of before a member could say that it caches nothing. */
    private static final int WITHOUT_CACHES = 1;

    private MemberData() {}

    static byte[] write(Member member) {
        WireWriter out = new WireWriter();
        out.writeByte(VERSION);
        out.writeInt(member.deployment());
        out.writeString(member.instance());
        out.writeString(member.host());
        out.writeInt(member.port());
        out.writeBoolean(member.caches());
        return out.toByteArray();
    }

    static Member read(long epoch, byte[] data) {
        WireReader in = new WireReader(data);
        int version = in.readByte();
        if (version != VERSION && version != WITHOUT_CACHES) {
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
                version == WITHOUT_CACHES || in.readBoolean());
        in.expectEnd();
        return member;
    }
}
