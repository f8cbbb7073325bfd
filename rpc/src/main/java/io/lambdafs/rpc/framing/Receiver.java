package io.lambdafs.rpc.framing;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.Message;
import io.lambdafs.rpc.WireReader;
import io.netty.buffer.ByteBuf;
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
     * Gives up a malformed stream, of which nothing more can be trusted, and tells the requester why if the id could be
     * read.
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
            if (frame.getByte(at + Frame.KIND_AT) != Frame.REPLY) {
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
