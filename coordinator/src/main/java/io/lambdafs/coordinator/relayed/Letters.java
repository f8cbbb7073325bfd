package io.lambdafs.coordinator.relayed;

import io.lambdafs.coordinator.Acknowledgement;
import io.lambdafs.coordinator.direct.CoordinatorMessages;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import io.lambdafs.rpc.message.Codec;
import io.lambdafs.rpc.message.Message;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Encodes letters and answers: a version byte and a count; then each message as on the wire, or for each message
 * whether it was acknowledged, and the ACK. Stateless.
 */
final class Letters {
    private static final int VERSION = 1;
    /** Overhead of a batch beyond its messages. */
    static final int HEADER_BYTES = 16;

    private static final Codec CODEC =
            CoordinatorMessages.register(Codec.builder()).build();

    private Letters() {}

    static byte[] write(Message message) {
        WireWriter out = new WireWriter();
        CODEC.write(out, message);
        return out.toByteArray();
    }

    private static Message read(byte[] message) {
        return CODEC.read(new WireReader(message));
    }

    static byte[] batch(List<byte[]> messages) {
        WireWriter out = header(messages.size());
        messages.forEach(out::writeBytes);
        return out.toByteArray();
    }

    static List<Message> readBatch(byte[] content) {
        WireReader in = new WireReader(content);
        int count = readHeader(in);
        List<Message> messages = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            messages.add(read(in.readBytes()));
        }
        in.expectEnd();
        return messages;
    }

    /** @param acks null for a message that could not be handled */
    static byte[] answer(List<@Nullable Acknowledgement> acks) {
        WireWriter out = header(acks.size());
        for (Acknowledgement ack : acks) {
            out.writeBoolean(ack != null);
            if (ack != null) {
                out.writeBytes(write(ack));
            }
        }
        return out.toByteArray();
    }

    static List<@Nullable Acknowledgement> readAnswer(byte[] content) {
        WireReader in = new WireReader(content);
        int count = readHeader(in);
        List<@Nullable Acknowledgement> acks = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            boolean handled = in.readBoolean();
            acks.add(handled && read(in.readBytes()) instanceof Acknowledgement ack ? ack : null);
        }
        in.expectEnd();
        return acks;
    }

    private static WireWriter header(int count) {
        WireWriter out = new WireWriter();
        out.writeByte(VERSION);
        out.writeSize(count);
        return out;
    }

    private static int readHeader(WireReader in) {
        int version = in.readByte();
        if (version != VERSION) {
            throw new FsException(
                    ErrorCode.BAD_FRAME, "a letter has format " + version + ", which this version does not know");
        }
        return in.readCount(1);
    }
}
