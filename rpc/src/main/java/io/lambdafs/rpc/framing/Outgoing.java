package io.lambdafs.rpc.framing;

import io.lambdafs.rpc.message.Message;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * An outgoing message, which is also a node of the {@link OutgoingQueue} and a future of the reply: a request's
 * completes when the reply arrives, a reply's when the handler supplies it.
 */
abstract sealed class Outgoing extends CompletableFuture<Message>
        permits PendingRequest, PendingReply, OutgoingQueue.Stub {
    /** The next node; owned by the queue. */
    volatile @Nullable Outgoing next;
}
