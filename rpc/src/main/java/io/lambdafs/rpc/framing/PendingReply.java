package io.lambdafs.rpc.framing;

import io.lambdafs.rpc.Tailed;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Message;
import java.util.function.Consumer;

/** Receives the handler's reply to one request, once, from any thread. Thread-safe. */
final class PendingReply extends Outgoing implements Consumer<Message> {
    private final FramedConnection connection;
    final long correlationId;

    PendingReply(FramedConnection connection, long correlationId) {
        this.connection = connection;
        this.correlationId = correlationId;
    }

    @Override
    public void accept(Message message) {
        if (complete(message)) {
            connection.sender().reply(this);
        } else {
            Tailed.drop(message);
        }
    }

    /** Replies with a failure unless already answered. */
    void fail(RuntimeException why) {
        accept(Failed.of(why));
    }
}
