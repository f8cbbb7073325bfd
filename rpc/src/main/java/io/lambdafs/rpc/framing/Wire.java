package io.lambdafs.rpc.framing;

import io.netty.buffer.ByteBuf;
import java.util.concurrent.RejectedExecutionException;

/**
 * What a transport does for one connection: moves its bytes, and lets one thread at a time into what is confined to its loop. The
 * connection is told by {@link FramedConnection#opened}, {@link FramedConnection#read} and {@link FramedConnection#lost}.
 */
public interface Wire {
    /** Returns whether the caller is on the loop. From any thread. */
    boolean inLoop();

    /**
     * Runs a task on the loop, after what runs there now. From any thread.
     *
     * @throws RejectedExecutionException the loop has ended
     */
    void execute(Runnable task);

    /**
     * Whether so few bytes wait to be sent that requests are taken: false above the high-water mark until below the low one. From
     * any thread.
     */
    boolean isWritable();

    /** Bytes that wait to be sent, about. On the loop. */
    long waitingBytes();

    /** A buffer for frames, of at least that many bytes. On the loop. */
    ByteBuf buffer(int bytes);

    /** Sends what is in a buffer, as soon as the peer takes it, and releases it. On the loop. */
    void send(ByteBuf frames);

    /** Closes; {@link FramedConnection#lost} is told later, once. On the loop. */
    void close();
}
