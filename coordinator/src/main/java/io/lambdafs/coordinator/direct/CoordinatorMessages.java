package io.lambdafs.coordinator.direct;

import io.lambdafs.coordinator.Acknowledgement;
import io.lambdafs.coordinator.Greeting;
import io.lambdafs.coordinator.Invalidation;
import io.lambdafs.coordinator.Member;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.Scope;
import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.rpc.message.Codec;
import java.util.ArrayList;
import java.util.List;

/**
 * Registers the messages between instances, numbers 200–202, which never change their meaning; 203 is not reused.
 * Stateless.
 */
public final class CoordinatorMessages {
    static final int INVALIDATION = 200;
    static final int GREETING = 201;
    static final int ACKNOWLEDGEMENT = 202;

    private CoordinatorMessages() {}

    /** Adds these messages to a codec builder; the channel also needs {@link io.lambdafs.rpc.message.RpcMessages}. */
    public static Codec.Builder register(Codec.Builder builder) {
        // Only messages that may have to wait for operations in flight.
        return builder.answeredAtOnce(Invalidation.class, inv -> inv.prefixes().isEmpty())
                .register(
                        INVALIDATION,
                        Invalidation.class,
                        CoordinatorMessages::writeInvalidation,
                        CoordinatorMessages::readInvalidation)
                .register(
                        GREETING,
                        Greeting.class,
                        (out, m) -> writeMember(out, m.newcomer()),
                        in -> new Greeting(readMember(in)))
                .register(
                        ACKNOWLEDGEMENT,
                        Acknowledgement.class,
                        CoordinatorMessages::writeAcknowledgement,
                        in -> new Acknowledgement(in.readLong(), in.readBoolean()));
    }

    private static void writeInvalidation(WireWriter out, Invalidation message) {
        out.writeLong(message.epoch());
        writePaths(out, message.scope().entries());
        writePaths(out, message.scope().listings());
        writePaths(out, message.prefixes());
    }

    private static Invalidation readInvalidation(WireReader in) {
        return new Invalidation(in.readLong(), new Scope(readPaths(in), readPaths(in)), readPaths(in));
    }

    private static void writePaths(WireWriter out, List<FsPath> paths) {
        out.writeSize(paths.size());
        for (FsPath path : paths) {
            out.writeString(path.toString());
        }
    }

    private static List<FsPath> readPaths(WireReader in) {
        int count = in.readCount(2);
        List<FsPath> paths = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            try {
                paths.add(FsPath.of(in.readString()));
            } catch (FsException invalid) {
                throw WireReader.bad(String.valueOf(invalid.getMessage()));
            }
        }
        return paths;
    }

    private static void writeMember(WireWriter out, Member member) {
        out.writeLong(member.epoch());
        out.writeInt(member.deployment());
        out.writeString(member.instance());
        out.writeString(member.host());
        out.writeInt(member.port());
        out.writeBoolean(member.caches());
        // Omitted if first, the only one earlier builds know.
        if (member.generation() != Placement.FIRST_GENERATION) {
            out.writeInt(member.generation());
        }
    }

    private static Member readMember(WireReader in) {
        return new Member(
                in.readLong(),
                in.readInt(),
                in.readString(),
                in.readString(),
                in.readInt(),
                in.readBoolean(),
                in.remaining() == 0 ? Placement.FIRST_GENERATION : in.readInt());
    }

    private static void writeAcknowledgement(WireWriter out, Acknowledgement message) {
        out.writeLong(message.epoch());
        out.writeBoolean(message.drained());
    }
}
