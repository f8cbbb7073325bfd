package io.lambdafs.door.hdfs;

import io.lambdafs.client.FileWriter;
import io.lambdafs.hadoop.convert.Failures;
import io.lambdafs.model.FsPath;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.jspecify.annotations.Nullable;

/**
 * A file that a client writes through this door. The blocks that the client asks for are only a frame for its bytes:
 * they go to one writer, in order. Thread-safe: one call at a time.
 */
final class WrittenFile {
    private final Opening opening;
    private final FileWriter writer;
    private long blocks;
    private long lengthBefore;
    private @Nullable LocatedBlock current;
    /** The block before the current one; null for the first. */
    private @Nullable ExtendedBlock previous;

    private long received;
    /** True once the client has asked for visible bytes: from then on acknowledged ones must be. */
    private boolean flushes;

    private boolean over;

    /**
     * The way it was opened.
     *
     * @param client the name that the client gave itself
     */
    record Opening(String client, String user, FsPath path, long blockSize) {}

    WrittenFile(Opening opening, FileWriter writer) {
        this.opening = opening;
        this.writer = writer;
        this.lengthBefore = writer.startLength();
    }

    long id() {
        return writer.fileId();
    }

    String client() {
        return opening.client();
    }

    String user() {
        return opening.user();
    }

    FsPath path() {
        return opening.path();
    }

    long blockSize() {
        return opening.blockSize();
    }

    /** Returns the next block to write; the current one again if the call is repeated. */
    synchronized LocatedBlock next(@Nullable ExtendedBlock last, BlockMap map) throws IOException {
        checkOpen();
        LocatedBlock now = current;
        if (now != null && isSame(last, now.getBlock())) {
            checkLength(last);
            lengthBefore += received;
            previous = now.getBlock();
        } else if (now != null && (received > 0 || !isSame(last, previous))) {
            throw new IOException(path() + ": a block is asked for after " + last + ", and the last one is "
                    + now.getBlock() + " of " + received + " bytes");
        } else if (now != null) {
            return now;
        }
        received = 0;
        LocatedBlock next = map.write(this, blocks++, lengthBefore);
        current = next;
        return next;
    }

    private static boolean isSame(@Nullable ExtendedBlock told, @Nullable ExtendedBlock known) {
        if (told == null || known == null) {
            return told == null && known == null;
        }
        return told.getBlockId() == known.getBlockId();
    }

    private void checkLength(@Nullable ExtendedBlock told) throws IOException {
        if (told != null && told.getNumBytes() != received) {
            throw new IOException(path() + ": the client has sent " + told.getNumBytes() + " bytes of " + told
                    + ", and " + received + " have arrived");
        }
    }

    /** Gives up a block to which nothing was written. */
    synchronized void abandonBlock(ExtendedBlock block) throws IOException {
        checkOpen();
        LocatedBlock now = current;
        if (now == null || !isSame(block, now.getBlock())) {
            return;
        }
        if (received > 0) {
            throw new IOException(path() + ": " + block + " has " + received + " bytes, and cannot be given up");
        }
        current = null;
        previous = null;
    }

    /** Checks that a block is the one being written. */
    synchronized void begin(long block) throws IOException {
        checkOpen();
        LocatedBlock now = current;
        if (now == null || now.getBlock().getBlockId() != block || received > 0) {
            throw new IOException(path() + ": block " + block + " is not one to begin");
        }
    }

    /**
     * Takes the bytes of a packet. The first ones may be known, since a flushed chunk is sent again whole.
     *
     * @param at their offset in the block
     */
    synchronized void receive(long block, long at, ByteBuffer bytes) throws IOException {
        checkOpen();
        LocatedBlock now = current;
        if (now == null || now.getBlock().getBlockId() != block) {
            throw new IOException(path() + ": block " + block + " is not being written any more");
        }
        long known = received - at;
        if (at < 0 || known < 0) {
            throw new IOException(path() + ": a packet begins at " + at + ", and " + received + " bytes are there");
        }
        if (at + bytes.remaining() > blockSize()) {
            throw new IOException(path() + ": a block of " + blockSize() + " bytes is full");
        }
        if (known >= bytes.remaining()) {
            return;
        }
        bytes.position(bytes.position() + (int) known);
        received += bytes.remaining();
        Failures.run(() -> writer.write(bytes), path().toString());
    }

    synchronized boolean flushes() {
        return flushes;
    }

    /** Makes everything received durable and visible, and from now on before it is acknowledged. */
    synchronized void sync() throws IOException {
        checkOpen();
        flushes = true;
        Failures.run(writer::sync, path().toString());
    }

    /** @param last the last block with its length; null if none was written */
    synchronized void complete(@Nullable ExtendedBlock last) throws IOException {
        checkOpen();
        LocatedBlock now = current;
        if (last != null && now != null && isSame(last, now.getBlock())) {
            checkLength(last);
        } else if (last != null || received > 0) {
            throw new IOException(path() + ": its last block is not " + last);
        }
        finish();
    }

    /** Closes the file with everything received. */
    synchronized void finish() throws IOException {
        over = true;
        try {
            Failures.run(writer::complete, path().toString());
        } catch (IOException e) {
            try {
                Failures.run(writer::abandon, path().toString());
            } catch (IOException left) {
                e.addSuppressed(left);
            }
            throw e;
        }
    }

    synchronized boolean isOver() {
        return over;
    }

    private void checkOpen() throws IOException {
        if (over) {
            throw new IOException(path() + " is closed");
        }
    }
}
