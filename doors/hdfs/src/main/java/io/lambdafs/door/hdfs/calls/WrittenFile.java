package io.lambdafs.door.hdfs.calls;

import io.lambdafs.client.FileWriter;
import io.lambdafs.hadoop.convert.Failures;
import io.lambdafs.model.FsPath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.jspecify.annotations.Nullable;

/**
 * A file that a client writes through this door. The blocks that the client asks for are only a frame for its bytes:
 * they go to one writer, in order. Thread-safe: one call at a time.
 */
public final class WrittenFile {
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
    /** True once the file is closed with everything received. */
    private boolean finished;

    /**
     * The way it was opened.
     *
     * @param client the name that the client gave itself
     * @param handedOn whether another door must be able to go on from what is acknowledged
     */
    record Opening(String client, String user, FsPath path, long blockSize, boolean handedOn) {}

    /**
     * A block that was begun at another door.
     *
     * @param received what of it is durable
     * @param closed whether the file is: then nothing can be added
     */
    record Begun(ExtendedBlock block, long offset, long received, boolean closed) {}

    WrittenFile(Opening opening, FileWriter writer) {
        this.opening = opening;
        this.writer = writer;
        this.lengthBefore = writer.startLength();
    }

    /** Goes on with a file that was opened at another door. */
    WrittenFile(Opening opening, FileWriter writer, Begun begun, BlockMap map) throws IOException {
        this(opening, writer);
        long number = BlockMap.number(begun.block().getBlockId());
        blocks = number + 1;
        lengthBefore = begun.offset();
        received = begun.received();
        over = begun.closed();
        finished = begun.closed();
        current = map.write(this, number, begun.offset(), Set.of());
    }

    /** Returns the generation of the block's that clients see: one that tells another door which lease to take over. */
    long stamp() {
        return writer.generation() + 1;
    }

    public boolean isHandedOn() {
        return opening.handedOn();
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

    public FsPath path() {
        return opening.path();
    }

    long blockSize() {
        return opening.blockSize();
    }

    /** Returns the next block to write; the current one again if the call is repeated. */
    synchronized LocatedBlock next(@Nullable ExtendedBlock last, Set<String> excluded, BlockMap map)
            throws IOException {
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
        LocatedBlock next = map.write(this, blocks++, lengthBefore, excluded);
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

    /** Returns the block again, for a client that goes on with it by another way, under the generation that it now has. */
    synchronized LocatedBlock again(ExtendedBlock block, BlockMap map) throws IOException {
        LocatedBlock now = current;
        if (now == null || now.getBlock().getBlockId() != block.getBlockId()) {
            throw new IOException(path() + ": " + block + " is not being written any more");
        }
        LocatedBlock again = map.write(this, BlockMap.number(block.getBlockId()), lengthBefore, Set.of());
        again.getBlock().setNumBytes(received);
        current = again;
        return again;
    }

    /** Checks that a block is the one that was being written, to go on with it. */
    public synchronized void goOn(long block) throws IOException {
        LocatedBlock now = current;
        if (now == null || now.getBlock().getBlockId() != block) {
            throw new IOException(path() + ": block " + block + " is not being written any more");
        }
    }

    /**
     * Makes the end of a block durable before it is acknowledged, so that another door can go on: the whole file, if the
     * client is about to close it.
     */
    public synchronized void endBlock() throws IOException {
        if (finished || !isHandedOn()) {
            return;
        }
        checkOpen();
        if (received == blockSize() || flushes) {
            Failures.run(writer::sync, path().toString());
        } else {
            finish();
        }
    }

    /** Makes everything received durable before it is acknowledged. */
    public synchronized void keep() throws IOException {
        if (!finished) {
            checkOpen();
            Failures.run(writer::sync, path().toString());
        }
    }

    /** Checks that a block is the one being written. */
    public synchronized void begin(long block) throws IOException {
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
    public synchronized void receive(long block, long at, ByteBuffer bytes) throws IOException {
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
        checkOpen();
        bytes.position(bytes.position() + (int) known);
        received += bytes.remaining();
        Failures.run(() -> writer.write(bytes), path().toString());
    }

    public synchronized boolean flushes() {
        return flushes;
    }

    /** Makes everything received durable and visible; from now on before it is acknowledged. */
    public synchronized void sync() throws IOException {
        checkOpen();
        flushes = true;
        Failures.run(writer::sync, path().toString());
    }

    /** @param last the last block with its length; null if none was written */
    synchronized void complete(@Nullable ExtendedBlock last) throws IOException {
        LocatedBlock now = current;
        if (last != null && now != null && isSame(last, now.getBlock())) {
            checkLength(last);
        } else if (last != null || received > 0) {
            throw new IOException(path() + ": its last block is not " + last);
        }
        if (!finished) {
            checkOpen();
            finish();
        }
    }

    /** Returns whether a client's block shows that it has gone on with the file at another door since. */
    synchronized boolean isBehind(ExtendedBlock block) {
        return block.getGenerationStamp() > stamp() || BlockMap.number(block.getBlockId()) >= blocks;
    }

    /** Leaves the file as it is to another door, whose lease may be the same. */
    synchronized void leave() {
        over = true;
        writer.leave();
    }

    /** Closes the file with everything received; one without a block, which a client may write at another door, is left. */
    synchronized void finish() throws IOException {
        if (over) {
            return;
        }
        if (isHandedOn() && blocks == 0 && writer.generation() > 0) {
            leave();
            return;
        }
        over = true;
        try {
            Failures.run(writer::complete, path().toString());
            finished = true;
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
