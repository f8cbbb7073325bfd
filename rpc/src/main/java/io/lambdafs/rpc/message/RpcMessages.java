package io.lambdafs.rpc.message;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.OperationKind;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.rpc.tracing.TraceParent;

/**
 * Registers this package's messages: 1–99 for connections, 100–199 for operations and replies. Numbers never change
 * their meaning. Stateless.
 */
public final class RpcMessages {
    static final int BIND = 1;
    static final int BOUND = 2;
    static final int REGISTER = 3;
    public static final int DONE = 4;
    static final int FAILED = 5;
    static final int PROOF = 6;
    static final int LEND = 7;
    static final int FORWARD = 8;
    static final int EXPECT = 9;
    /** Marks, before a request's operation, that its generation follows; not the number of any operation. */
    private static final int GENERATION = 1;
    /** Marks that its trace follows. */
    private static final int TRACE = 2;

    static final int OPERATION_REQUEST = 100;
    static final int OPERATION_REPLY = 101;

    private RpcMessages() {}

    /** Returns a codec of these messages only. */
    public static Codec codec() {
        return register(Codec.builder()).build();
    }

    /** Adds these messages to a codec builder. */
    public static Codec.Builder register(Codec.Builder builder) {
        return builder.register(
                        BIND, Bind.class, (out, m) -> out.writeString(m.token()), in -> new Bind(in.readString()))
                .register(BOUND, Bound.class, (out, m) -> out.writeInt(m.principal()), in -> new Bound(in.readInt()))
                .register(REGISTER, Register.class, RpcMessages::writeRegister, RpcMessages::readRegister)
                .register(DONE, Done.class, (out, m) -> {}, in -> Done.DONE)
                .register(FAILED, Failed.class, RpcMessages::writeFailed, RpcMessages::readFailed)
                .register(PROOF, Proof.class, SharingWire::writeProof, SharingWire::readProof)
                .register(LEND, Lend.class, SharingWire::writeLend, SharingWire::readLend)
                .register(FORWARD, Forward.class, SharingWire::writeForward, SharingWire::readForward)
                .register(EXPECT, Expect.class, SharingWire::writeExpect, SharingWire::readExpect)
                .register(
                        OPERATION_REQUEST,
                        OperationRequest.class,
                        RpcMessages::writeOperationRequest,
                        RpcMessages::readOperationRequest)
                .register(
                        OPERATION_REPLY,
                        OperationReply.class,
                        RpcMessages::writeOperationReply,
                        RpcMessages::readOperationReply);
    }

    private static void writeRegister(WireWriter out, Register message) {
        out.writeInt(message.deployment());
        out.writeString(message.instance());
        out.writeLong(message.epoch());
        out.writeString(message.registration());
    }

    private static Register readRegister(WireReader in) {
        return new Register(in.readInt(), in.readString(), in.readLong(), in.readString());
    }

    private static void writeFailed(WireWriter out, Failed message) {
        out.writeInt(message.code().number());
        out.writeString(message.message());
    }

    private static Failed readFailed(WireReader in) {
        return new Failed(ErrorCode.of(in.readInt()), in.readString());
    }

    static void writeOperationRequest(WireWriter out, OperationRequest message) {
        out.writeInt(message.principal());
        RequestId id = message.id();
        out.writeFixedLong(id.clientHigh());
        out.writeFixedLong(id.clientLow());
        out.writeInt(id.slot());
        out.writeLong(id.sequence());
        out.writeInt(message.attempt());
        out.writeLong(message.deadlineMillis());
        // Omitted if first, the only one earlier builds know.
        if (message.generation() != Placement.FIRST_GENERATION) {
            out.writeByte(GENERATION);
            out.writeInt(message.generation());
        }
        TraceParent trace = message.trace();
        if (trace != null) {
            out.writeByte(TRACE);
            out.writeFixedLong(trace.high());
            out.writeFixedLong(trace.low());
            out.writeFixedLong(trace.span());
        }
        message.operation().write(out);
    }

    static OperationRequest readOperationRequest(WireReader in) {
        int principal = in.readInt();
        long clientHigh = in.readFixedLong();
        long clientLow = in.readFixedLong();
        int slot = in.readInt();
        if (slot < 0 || slot >= RequestId.MAX_SLOTS) {
            throw WireReader.bad("no such slot: " + slot);
        }
        RequestId id = new RequestId(clientHigh, clientLow, slot, in.readLong());
        int attempt = in.readInt();
        long deadline = in.readLong();
        int first = in.readByte() & 0xff;
        int generation = Placement.FIRST_GENERATION;
        if (first == GENERATION) {
            generation = in.readInt();
            if (generation < OperationRequest.ANY_GENERATION) {
                throw WireReader.bad("a generation of " + generation);
            }
            first = in.readByte() & 0xff;
        }
        TraceParent trace = null;
        if (first == TRACE) {
            trace = new TraceParent(in.readFixedLong(), in.readFixedLong(), in.readFixedLong());
            if (!trace.isValid()) {
                throw WireReader.bad("a trace without an id");
            }
            first = in.readByte() & 0xff;
        }
        Operation<?> operation = OperationKind.read(first, in);
        return new OperationRequest(principal, id, attempt, deadline, operation, generation, trace);
    }

    private static void writeOperationReply(WireWriter out, OperationReply message) {
        out.writeInt(message.deployment());
        out.writeLong(message.epoch());
        out.writeBoolean(message.cacheHit());
        ReplyWire.write(out, message.reply());
    }

    private static OperationReply readOperationReply(WireReader in) {
        return new OperationReply(in.readInt(), in.readLong(), in.readBoolean(), ReplyWire.read(in));
    }
}
