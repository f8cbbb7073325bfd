package io.lambdafs.door.mount.files;

import io.lambdafs.door.mount.wire.Errno;
import io.lambdafs.door.mount.wire.ErrnoException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Contents of a file on this machine, written and read at any place: in memory up to {@value #MEMORY_BYTES} bytes, then
 * in a file of the {@link LocalSpace}. For one thread at a time.
 */
final class Scratch implements AutoCloseable {
    static final int MEMORY_BYTES = 1 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(Scratch.class);
    private static final int FEWEST_BYTES = 4 << 10;

    private final LocalSpace space;
    private byte[] memory = {};
    private @Nullable FileChannel file;
    private long size;
    private long taken;

    /** Receives contents in order. */
    interface Sink {
        void take(ByteBuffer part) throws InterruptedException;
    }

    Scratch(LocalSpace space) {
        this.space = space;
    }

    long size() {
        return size;
    }

    boolean isInMemory() {
        return file == null;
    }

    /** Returns bytes from a place on, as many as there are. */
    ByteBuffer read(long from, int length) {
        int count = (int) Math.max(0, Math.min(length, size - from));
        ByteBuffer into = ByteBuffer.allocate(count);
        FileChannel in = file;
        if (in == null) {
            // What was never written is not in the array, and is 0.
            into.put(memory, (int) Math.min(from, memory.length), (int)
                    Math.max(0, Math.min(count, memory.length - from)));
        } else {
            fill(in, from, into);
        }
        return into.position(count).flip();
    }

    private static void fill(FileChannel in, long from, ByteBuffer into) {
        try {
            int read = 0;
            while (read >= 0 && into.hasRemaining()) {
                read = in.read(into, from + into.position());
            }
        } catch (IOException e) {
            throw failure(e);
        }
    }

    void write(long at, ByteBuffer bytes) {
        long end = at + bytes.remaining();
        grow(end);
        FileChannel out = file;
        if (out == null) {
            int length = bytes.remaining();
            bytes.get(memory, (int) at, length);
        } else {
            try {
                long next = at;
                while (bytes.hasRemaining()) {
                    next += out.write(bytes, next);
                }
            } catch (IOException e) {
                throw failure(e);
            }
        }
        size = Math.max(size, end);
    }

    /** Cuts it, or lengthens it by zeros. */
    void truncate(long length) {
        FileChannel cut = file;
        if (length > size) {
            grow(length);
        } else if (cut == null) {
            Arrays.fill(memory, (int) Math.min(length, memory.length), memory.length, (byte) 0);
        } else {
            try {
                cut.truncate(length);
            } catch (IOException e) {
                throw failure(e);
            }
        }
        size = length;
    }

    /** Makes room up to an end. */
    private void grow(long end) {
        if (file == null && end <= MEMORY_BYTES && growInMemory((int) end)) {
            return;
        }
        if (end > taken) {
            space.take(end - taken);
            taken = end;
        }
        if (file == null) {
            try {
                FileChannel opened = space.open();
                file = opened;
                ByteBuffer all = ByteBuffer.wrap(memory, 0, (int) Math.min(size, memory.length));
                while (all.hasRemaining()) {
                    opened.write(all, all.position());
                }
                dropMemory();
            } catch (IOException e) {
                throw failure(e);
            }
        }
    }

    private boolean growInMemory(int end) {
        if (end <= memory.length) {
            return true;
        }
        int length = Math.min(MEMORY_BYTES, Math.max(end, Math.max(FEWEST_BYTES, 2 * memory.length)));
        if (!space.takeMemory(length - memory.length)) {
            return false;
        }
        memory = Arrays.copyOf(memory, length);
        return true;
    }

    private void dropMemory() {
        space.giveBackMemory(memory.length);
        memory = new byte[0];
    }

    /** Gives all contents to a sink. */
    void copyTo(Sink sink) throws InterruptedException {
        for (long at = 0; at < size; at += MEMORY_BYTES) {
            sink.take(read(at, MEMORY_BYTES));
        }
    }

    private static ErrnoException failure(IOException why) {
        LOG.warn("A local file cannot be used: {}", why.toString());
        return Errno.ENOSPC.failure();
    }

    @Override
    public void close() {
        space.giveBack(taken);
        taken = 0;
        dropMemory();
        FileChannel open = file;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                // It has no name, so nothing of it remains.
            }
        }
    }
}
