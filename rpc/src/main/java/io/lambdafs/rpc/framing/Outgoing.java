package io.lambdafs.rpc.framing;

import io.lambdafs.rpc.Message;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Something that a connection is to send, a link of its {@link OutgoingQueue}, and a future of the reply: that of a request is
 * completed when the reply comes, that of a reply when the handler gives it. One object serves for all three.
 */
abstract sealed class Outgoing extends CompletableFuture<Message>
        permits PendingRequest, PendingReply, OutgoingQueue.Stub {
    /** The next of the queue; owned by the queue. */
    volatile @Nullable Outgoing next;
}
