package io.lambdafs.rpc;

import io.lambdafs.rpc.message.Charged;
import io.lambdafs.rpc.message.Message;
import org.jspecify.annotations.Nullable;

/**
 * A reply that bytes of a file follow in its frame. They go to the {@link TailSink} of the requester as they arrive,
 * and are not in the received message.
 */
public interface Tailed extends Message {
    /** Returns the bytes to send, which the sender closes; null in a received message. */
    @Nullable
    FileSlice tail();

    /** Closes a message's tail that will not be sent. */
    static void drop(Message message) {
        if (message instanceof Charged charged) {
            charged.taken().run();
            drop(charged.message());
            return;
        }
        FileSlice tail = message instanceof Tailed tailed ? tailed.tail() : null;
        if (tail != null) {
            tail.close();
        }
    }
}
