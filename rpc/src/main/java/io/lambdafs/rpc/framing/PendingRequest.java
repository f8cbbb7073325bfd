package io.lambdafs.rpc.framing;

import io.lambdafs.rpc.TailSink;
import io.lambdafs.rpc.message.Message;
import org.jspecify.annotations.Nullable;

/** A request in flight and the future of its reply. The fields belong to the loop once the request is queued. */
final class PendingRequest extends Outgoing {
    final FramedConnection connection;
    final long timeoutNanos;
    private @Nullable Message message;

    /** Its id on the wire. */
    long correlationId;

    /** The tick at which it times out, and its neighbours in that slot of the {@link TimeoutWheel}. */
    long dueTick;

    @Nullable
    PendingRequest later;

    @Nullable
    PendingRequest earlier;

    boolean timed;

    /** The time after sending for which the loop polls for the reply; 0 for not at all. */
    long lookoutNanos;

    /** Takes the tail of its reply; null if there must be none. Set before it is sent. */
    @Nullable
    TailSink sink;

    PendingRequest(FramedConnection connection, Message message, long timeoutNanos) {
        this.connection = connection;
        this.message = message;
        this.timeoutNanos = timeoutNanos;
    }

    /** Returns the message to send, once, and drops it: a request awaiting its reply need not keep its content. */
    Message takeMessage() {
        Message taken = message;
        if (taken == null) {
            throw new IllegalStateException("a request is sent once");
        }
        message = null;
        return taken;
    }
}
