package io.lambdafs.rpc.framing;

import io.netty.buffer.ByteBuf;
import java.util.concurrent.RejectedExecutionException;

/**
 * The SPI of a transport for one connection: moves its bytes and serialises access to its loop. It notifies the
 * connection by {@link FramedConnection#opened}, {@link FramedConnection#read} and {@link FramedConnection#lost}.
 */
public interface Wire {
    /** Returns whether the caller is on the loop. From any thread. */
    boolean inLoop();

    /**
     * Runs a task on the loop, after the current one. From any thread.
     *
     * @throws RejectedExecutionException the loop has ended
     */
    void execute(Runnable task);

    /**
     * Returns whether requests are accepted: false from when unsent bytes exceed the high-water mark until they are
     * below the low one. From any thread.
     */
    boolean isWritable();

    /** Returns the approximate number of unsent bytes. On the loop. */
    long waitingBytes();

    /** Returns a buffer for frames of at least that many bytes. On the loop. */
    ByteBuf buffer(int bytes);

    /** Sends a buffer's content as soon as possible and releases it. On the loop. */
    void send(ByteBuf frames);

    /** Closes the wire; {@link FramedConnection#lost} is called later, once. On the loop. */
    void close();
}
