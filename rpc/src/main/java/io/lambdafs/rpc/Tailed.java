package io.lambdafs.rpc;

import org.jspecify.annotations.Nullable;

/**
 * An answer behind which bytes of a file follow in its frame. They are given to the {@link TailSink} of whoever asked, as they come, and are not in the message
 * that is received.
 */
public interface Tailed extends Message {
    /** What is to be sent, and closed by whoever sends it; null in a message that was received. */
    @Nullable
    FileSlice tail();

    /** Closes what is not going to be sent. */
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
