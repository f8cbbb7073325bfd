package io.lambdafs.coordinator.zookeeper;

import io.lambdafs.coordinator.Member;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.fuzz.Finding;
import io.lambdafs.rpc.fuzz.Promise;

/** The data of a member's ZooKeeper node. */
public final class MemberDataFuzz {
    private MemberDataFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        Member member;
        try {
            member = MemberData.read(7, input);
        } catch (FsException refusal) {
            // Another version's node is no malformed one.
            if (refusal.code() != ErrorCode.INTERNAL) {
                Promise.refused(refusal);
            }
            return;
        }
        if (!MemberData.read(7, MemberData.write(member)).equals(member)) {
            throw new Finding("read again it is another member: " + member);
        }
    }
}
