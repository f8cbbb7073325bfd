package io.lambdafs.client;

import io.lambdafs.client.block.BlockCopy;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A local copy of the block being written, in an unlinked file under {@code java.io.tmpdir}, kept until a datanode has
 * made the block durable. If the disk fails the copy ends, and a block whose datanode is lost then cannot be rewritten.
 * For one thread.
 */
final class Spill implements BlockCopy, AutoCloseable {
    private static final int REPLAY_BYTES = 1 << 20;

    private volatile @Nullable FileChannel channel;
    private volatile boolean whole = true;
    private long length;

    /** Receives a part of a copy. */
    interface Sink {
        void take(ByteBuffer part) throws InterruptedException;
    }

    /** Returns the number of bytes added, copied or not. */
    long length() {
        return length;
    }

    @Override
    public boolean isWhole() {
        return whole;
    }

    /** Begins the copy of another block, in the same file. */
    void clear() {
        length = 0;
        whole = true;
    }

    void add(ByteBuffer bytes) {
        long at = length;
        length += bytes.remaining();
        if (!whole) {
            return;
        }
        try {
            FileChannel to = channel;
            if (to == null) {
                to = open();
                channel = to;
            }
            while (bytes.hasRemaining()) {
                at += to.write(bytes, at);
            }
        } catch (IOException full) {
            whole = false;
            close();
        }
    }

    private static FileChannel open() throws IOException {
        Path file = Files.createTempFile("lambdafs-block-", null);
        FileChannel opened = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        // An open file needs no name, and disappears with the process.
        Files.delete(file);
        return opened;
    }

    /** Replays all bytes to a sink from the beginning. */
    void replay(Sink sink) throws InterruptedException {
        FileChannel from = channel;
        ByteBuffer part = ByteBuffer.allocate(REPLAY_BYTES);
        for (long at = 0; from != null && at < length; at += part.capacity()) {
            part.clear().limit((int) Math.min(part.capacity(), length - at));
            try {
                read(from, at, part);
            } catch (IOException e) {
                throw new FsException(
                        ErrorCode.INTERNAL, "the copy of a block in java.io.tmpdir cannot be read again: " + e, e);
            }
            sink.take(part.flip().duplicate());
        }
    }

    @Override
    public void read(long from, ByteBuffer into) throws IOException {
        FileChannel open = channel;
        if (open == null) {
            throw new EOFException("the copy has been closed");
        }
        read(open, from - into.position(), into);
    }

    private static void read(FileChannel from, long at, ByteBuffer part) throws IOException {
        while (part.hasRemaining()) {
            if (from.read(part, at + part.position()) < 0) {
                throw new EOFException("it ends at byte " + (at + part.position()));
            }
        }
    }

    @Override
    public void close() {
        FileChannel open = channel;
        channel = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                // It has no name, so nothing of it remains.
            }
        }
    }
}
