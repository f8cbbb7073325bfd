package io.lambdafs.rpc.framing;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.WireReader;
import io.lambdafs.rpc.TailSink;
import io.lambdafs.rpc.Tailed;
import io.lambdafs.rpc.message.Message;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The receiving half of a connection: decodes messages, completes requests with replies and passes requests to the
 * handler. Confined to the loop.
 */
final class Receiver {
    private static final Logger LOG = LoggerFactory.getLogger(Receiver.class);

    private final FramedConnection connection;
    private final FramedConnection.Settings settings;
    private final Sender sender;
    private boolean refused;

    Receiver(FramedConnection connection, FramedConnection.Settings settings, Sender sender) {
        this.connection = connection;
        this.settings = settings;
        this.sender = sender;
    }

    /** Returns whether incoming data is still read. */
    boolean isReading() {
        return !refused && connection.isOpen();
    }

    /** Handles a well-formed frame. */
    void received(byte kind, long correlationId, byte[] body, int length) {
        if (kind == Frame.REPLY) {
            receivedReply(correlationId, body, length);
        } else {
            receivedRequest(correlationId, body, length);
        }
    }

    private void receivedReply(long correlationId, byte[] body, int length) {
        PendingRequest request = sender.take(correlationId);
        if (request == null) {
            // Its request timed out.
            return;
        }
        Message message;
        try {
            message = decode(body, length);
        } catch (FsException e) {
            request.completeExceptionally(e);
            return;
        }
        request.complete(message);
    }

    /**
     * The message of a tailed reply has arrived.
     *
     * @param tail the number of bytes that follow it, at least 1
     * @return takes the tail; null to skip it
     */
    @Nullable
    Tail receivedHead(long correlationId, byte[] body, int length, int tail) {
        PendingRequest request = sender.waiting(correlationId);
        if (request == null) {
            return null;
        }
        try {
            if (!(decode(body, length) instanceof Tailed answer) || request.sink == null) {
                throw WireReader.bad(tail + " bytes follow a reply behind which none may");
            }
            request.sink.begin(answer, tail);
            return new Tail(correlationId, request.sink, answer);
        } catch (RuntimeException e) {
            sender.take(correlationId);
            request.completeExceptionally(FsException.of(e));
            return null;
        }
    }

    /** The tail of a reply, as long as its request waits. */
    final class Tail {
        private final long correlationId;
        private final TailSink sink;
        private final Message answer;

        private Tail(long correlationId, TailSink sink, Message answer) {
            this.correlationId = correlationId;
            this.sink = sink;
            this.answer = answer;
        }

        void take(ByteBuffer bytes) {
            if (sender.waiting(correlationId) != null) {
                sink.take(bytes);
            }
        }

        @Nullable
        ByteBuffer room() {
            return sender.waiting(correlationId) == null ? null : sink.room();
        }

        void came(int count) {
            if (sender.waiting(correlationId) != null) {
                sink.came(count);
            }
        }

        void end() {
            PendingRequest request = sender.take(correlationId);
            if (request != null) {
                request.complete(answer);
            }
        }
    }

    private void receivedRequest(long correlationId, byte[] body, int length) {
        Message message;
        try {
            message = decode(body, length);
        } catch (FsException e) {
            sender.refuse(correlationId, e);
            return;
        }
        @Nullable PendingReply reply = sender.expectAnswer(connection, correlationId);
        if (reply == null) {
            return;
        }
        try {
            settings.handler().request(connection, message, reply);
        } catch (RuntimeException e) {
            LOG.error("the handler of {} failed", connection, e);
            reply.fail(e);
        }
    }

    private Message decode(byte[] body, int length) {
        try {
            return settings.codec().read(new WireReader(body, 0, length));
        } catch (FsException e) {
            throw e;
        } catch (RuntimeException e) {
            throw WireReader.bad(String.valueOf(e.getMessage()));
        }
    }

    /**
     * Gives up a malformed stream, of which nothing more can be trusted, and reports the reason to the requester if the
     * id could be read.
     *
     * @param frame positioned at the frame's first byte
     */
    void refuse(String why, ByteBuf frame) {
        LOG.warn("{} is closed: malformed frame: {}", connection, why);
        refused = true;
        int at = frame.readerIndex();
        if (frame.readableBytes() >= Frame.BODY_AT && frame.getByte(at + Frame.VERSION_AT) == Frame.VERSION) {
            FsException bad = new FsException(ErrorCode.BAD_FRAME, "malformed frame: " + why);
            long correlationId = frame.getLong(at + Frame.ID_AT);
            byte kind = frame.getByte(at + Frame.KIND_AT);
            if (kind != Frame.REPLY && kind != Frame.TAILED_REPLY) {
                sender.refuse(correlationId, bad);
            } else {
                PendingRequest request = sender.take(correlationId);
                if (request != null) {
                    request.completeExceptionally(bad);
                }
            }
        }
        connection.close();
    }
}
