package io.lambdafs.rpc.framing;

import io.lambdafs.rpc.FileSlice;
import io.netty.buffer.ByteBuf;
import java.io.EOFException;
import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.LoggerFactory;

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

    /** Returns the approximate number of bytes of memory that unsent frames take. From any thread. */
    long waitingBytes();

    /** Returns a buffer for frames of at least that many bytes. On the loop. */
    ByteBuf buffer(int bytes);

    /** Sends a buffer's content as soon as possible and releases it. On the loop. */
    void send(ByteBuf frames);

    /** Sends a buffer and then a slice of a file, as {@link #send(ByteBuf)} does, and closes the file. On the loop. */
    default void send(ByteBuf frames, FileSlice tail) {
        try (tail) {
            int left = tail.length();
            while (left > 0) {
                int count = frames.writeBytes(tail.channel(), tail.position() + tail.length() - left, left);
                if (count < 0) {
                    throw new EOFException("the file was cut");
                }
                left -= count;
            }
            send(frames);
        } catch (IOException e) {
            LoggerFactory.getLogger(Wire.class).warn("a file cannot be sent: {}", e.toString());
            frames.release();
            close();
        }
    }

    /** Returns the amount by which a slice of a file counts among the {@link #waitingBytes}. */
    default int cost(FileSlice tail) {
        return tail.length();
    }

    /** Closes the wire without waiting for anything to be sent, as {@link #close} does. On the loop. */
    default void abort() {
        close();
    }

    /** Closes the wire; {@link FramedConnection#lost} is called later, once. On the loop. */
    void close();
}
