package io.lambdafs.client;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.OpenFile;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Reply;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;

/**
 * Writes a newly created file, or appends to one. Small content of a new file is sent inline in one message, on
 * completion. Larger content, and any append to a file with content, goes to datanodes block by block, under a writer
 * lease that is renewed meanwhile ({@link FileBlocks}).
 *
 * <p>A file is complete after {@link #complete}. {@link #abandon} removes a new one; earlier content, and content made
 * durable by {@link #sync}, stays. All methods block and throw {@link FsException}; after a failure the writer can only
 * be abandoned. For one thread at a time, which must not be one that completes a client's stages.
 */
public final class FileWriter {
    /** Well below the silence after which another writer may take the file. */
    private static final long RENEW_NANOS = Duration.ofSeconds(20).toNanos();

    private static final byte[] NOTHING = new byte[0];
    private static final int FEWEST_GATHERED_BYTES = 8 << 10;

    private final LambdaFs fs;
    private final FsPath path;
    private final OpenFile file;
    private final LeaseRenewal renewal;
    private final FileBlocks blocks;
    private State state = State.SMALL;
    /** Unsent bytes. Empty until the first write, because many files are created empty. */
    private byte[] gathered = NOTHING;

    private int filled;
    /** How many of these bytes the file already has inline; only while it is small. */
    private int head;

    private long startLength;

    /** True if part of the file must stay even if the writer is abandoned. */
    private boolean keeps;

    /** The state of the content. */
    private enum State {
        /** Everything is gathered and no block exists: the content may still be sent inline, unless it has a head. */
        SMALL,
        /** Blocks have the content but for the gathered bytes, which are a part of the next one. There is no head. */
        IN_BLOCKS,
        /** Complete or abandoned. */
        OVER
    }

    FileWriter(LambdaFs fs, FsPath path, OpenFile file) {
        this.fs = fs;
        this.path = path;
        this.file = file;
        this.renewal = new LeaseRenewal(fs, path, file, RENEW_NANOS);
        this.blocks = new FileBlocks(fs, path, file, renewal);
    }

    /** Creates a writer that appends to a file under a lease already taken. */
    FileWriter(LambdaFs fs, FsPath path, Reply.Leased leased) {
        this(fs, path, leased.file());
        if (leased.generation() == 0) {
            return; // The file is empty and the service takes no lease for it: like a new one.
        }
        keeps = true;
        startLength = leased.attributes().size();
        byte[] inline = leased.head();
        if (inline != null) {
            gathered = inline.clone();
            filled = inline.length;
            head = inline.length;
        } else if (startLength > 0) {
            state = State.IN_BLOCKS;
        }
        blocks.resume(leased.generation(), leased.blocks());
    }

    /** Returns the file's length at opening, in bytes. */
    public long startLength() {
        return startLength;
    }

    /** Returns the generation of its writer lease; 0 before it has one. */
    public long generation() {
        return blocks.generation();
    }

    /** Returns the file's id. */
    public long fileId() {
        return file.id();
    }

    /** Appends bytes, consuming them from the buffer before returning. */
    public void write(ByteBuffer bytes) throws InterruptedException {
        checkUsable();
        while (bytes.hasRemaining()) {
            if (filled == Operation.MAX_INLINE_BYTES) {
                sendGathered();
            }
            if (state == State.IN_BLOCKS && filled == 0 && bytes.remaining() >= Operation.MAX_INLINE_BYTES) {
                blocks.write(bytes);
                return;
            }
            int part = Math.min(bytes.remaining(), Operation.MAX_INLINE_BYTES - filled);
            if (gathered.length - filled < part) {
                int capacity = Math.max(Math.max(filled + part, 2 * gathered.length), FEWEST_GATHERED_BYTES);
                gathered = Arrays.copyOf(gathered, Math.min(capacity, Operation.MAX_INLINE_BYTES));
            }
            bytes.get(gathered, filled, part);
            filled += part;
        }
    }

    /** Makes everything written so far durable and visible to readers. The next write starts another block. */
    public void sync() throws InterruptedException {
        checkUsable();
        if (state == State.SMALL && filled == head) {
            return;
        }
        sendGathered();
        blocks.endBlock();
        keeps |= blocks.publish();
    }

    /** Completes the file durably with everything written. */
    public void complete() throws InterruptedException {
        checkUsable();
        boolean inline =
                state == State.SMALL && head == 0 && (filled == 0 ? blocks.generation() == 0 : completeInline());
        if (!inline) {
            if (filled > head) {
                sendGathered();
            }
            blocks.endBlock();
            blocks.complete();
        }
        end();
    }

    /** Completes the file with its whole content, even if small, in blocks. */
    void completeInBlocks() throws InterruptedException {
        checkUsable();
        sendGathered();
        blocks.endBlock();
        blocks.complete();
        end();
    }

    private void end() {
        state = State.OVER;
        blocks.close();
        renewal.stop();
    }

    /**
     * Removes a new file unless it is complete. A file with earlier content is closed with that; one that its maker may
     * no longer remove, with its blocks. Idempotent.
     */
    public void abandon() throws InterruptedException {
        if (state == State.OVER) {
            return;
        }
        blocks.abort();
        end();
        try {
            if (keeps || !isRemoved()) {
                blocks.complete();
            }
        } catch (FsException e) {
            if (e.code() != ErrorCode.NOT_FOUND && e.code() != ErrorCode.STALE_GENERATION) {
                throw e;
            }
        }
    }

    /** Leaves the file, as it is, to another process that goes on with it: this one adds nothing more. Idempotent. */
    public void leave() {
        if (state != State.OVER) {
            blocks.abort();
            end();
        }
    }

    /** Removes the new file; returns false if it must be closed instead. */
    private boolean isRemoved() throws InterruptedException {
        try {
            BlockingLambdaFs.await(fs.execute(new BlockOperation.Abandon(path, file, blocks.generation())));
            return true;
        } catch (FsException e) {
            if (e.code() != ErrorCode.PERMISSION_DENIED) {
                throw e;
            }
            return blocks.generation() == 0;
        }
    }

    private void checkUsable() {
        if (state == State.OVER) {
            throw FsException.invalidArgument("\"" + path + "\" is not being written by this writer any more");
        }
        renewal.check();
        blocks.beginCall();
    }

    /** Completes the file inline; returns false if the content exceeds the service's inline limit. */
    private boolean completeInline() throws InterruptedException {
        try {
            BlockingLambdaFs.await(fs.execute(
                    new FileOperation.Complete(path, file, blocks.generation(), Arrays.copyOf(gathered, filled))));
            return true;
        } catch (FsException e) {
            if (e.code() != ErrorCode.NEEDS_DATANODE) {
                throw e;
            }
            return false;
        }
    }

    private void sendGathered() throws InterruptedException {
        state = State.IN_BLOCKS;
        blocks.write(ByteBuffer.wrap(gathered, 0, filled));
        filled = 0;
        head = 0;
    }
}
