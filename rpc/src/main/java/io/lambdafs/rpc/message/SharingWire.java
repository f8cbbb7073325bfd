package io.lambdafs.rpc.message;

import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import java.util.ArrayList;
import java.util.List;

/** Encodes the messages between a user's processes that share connections. Stateless. */
final class SharingWire {
    private static final int MIN_INSTANCE_BYTES = 4;

    private SharingWire() {}

    static void writeProof(WireWriter out, Proof message) {
        out.writeString(message.nonce());
        out.writeString(message.proof());
    }

    static Proof readProof(WireReader in) {
        return new Proof(in.readString(), in.readString());
    }

    static void writeLend(WireWriter out, Lend message) {
        out.writeLong(message.version());
        out.writeInt(message.port());
        out.writeSize(message.instances().size());
        for (Lend.Instance instance : message.instances()) {
            out.writeLong(instance.connection());
            out.writeInt(instance.deployment());
            out.writeString(instance.instance());
            out.writeLong(instance.epoch());
        }
    }

    static Lend readLend(WireReader in) {
        long version = in.readLong();
        int port = in.readInt();
        int count = in.readCount(MIN_INSTANCE_BYTES);
        List<Lend.Instance> instances = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            instances.add(new Lend.Instance(in.readLong(), in.readInt(), in.readString(), in.readLong()));
        }
        return new Lend(version, port, instances);
    }

    static void writeForward(WireWriter out, Forward message) {
        out.writeLong(message.connection());
        out.writeLong(message.timeoutMillis());
        if (message.message() instanceof OperationRequest operation) {
            out.writeBoolean(true);
            RpcMessages.writeOperationRequest(out, operation);
        } else {
            out.writeBoolean(false);
            out.writeString(((Bind) message.message()).token());
        }
    }

    static Forward readForward(WireReader in) {
        long connection = in.readLong();
        long timeoutMillis = in.readLong();
        Message message = in.readBoolean() ? RpcMessages.readOperationRequest(in) : new Bind(in.readString());
        return new Forward(connection, timeoutMillis, message);
    }

    static void writeExpect(WireWriter out, Expect message) {
        out.writeInt(message.deployment());
        out.writeString(message.registration());
    }

    static Expect readExpect(WireReader in) {
        return new Expect(in.readInt(), in.readString());
    }
}
