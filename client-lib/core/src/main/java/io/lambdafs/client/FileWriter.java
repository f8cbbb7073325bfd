package io.lambdafs.client;

import io.lambdafs.client.block.BlockWriter;
import io.lambdafs.client.block.WrittenBlock;
import io.lambdafs.model.BlockOperation;
import io.lambdafs.model.Disposition;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FileOperation;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.LocatedBlock;
import io.lambdafs.model.OpenFile;
import io.lambdafs.model.Operation;
import io.lambdafs.model.Reply;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes a newly created file, or appends to one. Small content of a new file is sent inline in one message, on
 * completion. Larger content, and any append to a file with content, goes to datanodes block by block, under a writer
 * lease that is renewed meanwhile. A block whose datanode is lost is rewritten elsewhere from a copy on the local disk
 * ({@link Spill}).
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
    /**
     * Unsent data: the whole content while it may fit inline, or a part of the next block. Empty until the first write,
     * because many files are created empty.
     */
    private byte[] gathered = NOTHING;

    private int filled;
    /** How many of these bytes the file already has inline. */
    private int head;

    /** Generation of the writer lease; 0 without one. */
    private long generation;

    private long startLength;
    private int blocks;
    private @Nullable WrittenBlock previous;
    private @Nullable Attempt attempt;
    /** One for all blocks: disk space allocated for the first one serves the next ones. */
    private final Spill spill = new Spill();

    private boolean inBlocks;
    /** True if part of the file must stay even if the writer is abandoned. */
    private boolean keeps;

    private boolean over;

    /** The retries of the current call after a block has failed; renewed whenever the block makes progress. */
    private @Nullable Patience patience;

    private long failedLength;

    /** A block being written. */
    private record Attempt(LocatedBlock target, BlockWriter writer, Spill copy) {
        long room() {
            return target.block().length() - copy.length();
        }
    }

    FileWriter(LambdaFs fs, FsPath path, OpenFile file) {
        this.fs = fs;
        this.path = path;
        this.file = file;
        this.renewal = new LeaseRenewal(fs, path, file, RENEW_NANOS);
    }

    /** Creates a writer that appends to a file under a lease already taken. */
    FileWriter(LambdaFs fs, FsPath path, Reply.Leased leased) {
        this(fs, path, leased.file());
        generation = leased.generation();
        if (generation == 0) {
            return; // The file is empty and the service takes no lease for it: like a new one.
        }
        keeps = true;
        startLength = leased.attributes().size();
        blocks = leased.blocks();
        byte[] inline = leased.head();
        inBlocks = inline == null && startLength > 0;
        if (inline != null) {
            gathered = inline.clone();
            filled = inline.length;
            head = inline.length;
        }
        renewal.start(generation);
    }

    /** Returns the file's length at opening, in bytes. */
    public long startLength() {
        return startLength;
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
            if (inBlocks && filled == 0 && bytes.remaining() >= Operation.MAX_INLINE_BYTES) {
                writeBlocks(bytes);
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

    /** Returns whether the content may still be sent inline. */
    private boolean isSmall() {
        return !inBlocks && head == 0;
    }

    /** Makes everything written so far durable and visible to readers. The next write starts another block. */
    public void sync() throws InterruptedException {
        checkUsable();
        if (!inBlocks && filled == head) {
            return;
        }
        sendGathered();
        endBlock();
        if (previous != null) {
            attempt = begin(addBlock(), spill);
            keeps = true;
        }
    }

    /** Completes the file durably with everything written. */
    public void complete() throws InterruptedException {
        checkUsable();
        boolean inline = isSmall() && (filled == 0 ? generation == 0 : completeInline());
        if (!inline) {
            if (filled > head) {
                sendGathered();
            }
            endBlock();
            completeBlocks();
        }
        end();
    }

    /** Completes the file with its whole content, even if small, in blocks. */
    void completeInBlocks() throws InterruptedException {
        checkUsable();
        sendGathered();
        endBlock();
        completeBlocks();
        end();
    }

    private void end() {
        over = true;
        spill.close();
        renewal.stop();
    }

    private void completeBlocks() throws InterruptedException {
        WrittenBlock last = previous;
        BlockingLambdaFs.await(fs.execute(
                last == null
                        ? new BlockOperation.CompleteBlocks(path, file, generation, blocks, null)
                        : new BlockOperation.CompleteBlocks(
                                path, file, generation, blocks, last.block(), last.receipt())));
    }

    /**
     * Removes a new file unless it is complete. A file with earlier content is closed with that; one that its maker may
     * no longer remove, with its blocks. Idempotent.
     */
    public void abandon() throws InterruptedException {
        if (over) {
            return;
        }
        over = true;
        renewal.stop();
        abort();
        spill.close();
        try {
            if (keeps || !isRemoved()) {
                completeBlocks();
            }
        } catch (FsException e) {
            if (e.code() != ErrorCode.NOT_FOUND && e.code() != ErrorCode.STALE_GENERATION) {
                throw e;
            }
        }
    }

    /** Removes the new file; returns false if it must be closed instead. */
    private boolean isRemoved() throws InterruptedException {
        try {
            BlockingLambdaFs.await(fs.execute(new BlockOperation.Abandon(path, file, generation)));
            return true;
        } catch (FsException e) {
            if (e.code() != ErrorCode.PERMISSION_DENIED) {
                throw e;
            }
            return generation == 0;
        }
    }

    private void checkUsable() {
        if (over) {
            throw new FsException(
                    ErrorCode.INVALID_ARGUMENT, "\"" + path + "\" is not being written by this writer any more");
        }
        renewal.check();
        patience = null;
    }

    /** Completes the file inline; returns false if the content exceeds the service's inline limit. */
    private boolean completeInline() throws InterruptedException {
        try {
            BlockingLambdaFs.await(
                    fs.execute(new FileOperation.Complete(path, file, generation, Arrays.copyOf(gathered, filled))));
            return true;
        } catch (FsException e) {
            if (e.code() != ErrorCode.NEEDS_DATANODE) {
                throw e;
            }
            return false;
        }
    }

    private void sendGathered() throws InterruptedException {
        inBlocks = true;
        writeBlocks(ByteBuffer.wrap(gathered, 0, filled));
        filled = 0;
        head = 0;
    }

    private void writeBlocks(ByteBuffer bytes) throws InterruptedException {
        while (bytes.hasRemaining()) {
            Attempt current = attempt;
            if (current == null) {
                current = begin(addBlock(), spill);
                attempt = current;
            }
            ByteBuffer part = bytes.slice().limit((int) Math.min(bytes.remaining(), current.room()));
            bytes.position(bytes.position() + part.remaining());
            current.copy().add(part.duplicate());
            try {
                BlockingLambdaFs.await(current.writer().write(part));
            } catch (FsException lost) {
                current = again(current, lost);
            }
            if (current.room() == 0) {
                endBlock();
            }
        }
    }

    private Attempt begin(LocatedBlock target, Spill copy) {
        return new Attempt(target, fs.blocks().write(target, copy), copy);
    }

    private LocatedBlock addBlock() throws InterruptedException {
        WrittenBlock before = previous;
        LocatedBlock target = BlockingLambdaFs.await(fs.execute(
                        before == null
                                ? new BlockOperation.AddBlock(path, file, generation, blocks, null)
                                : new BlockOperation.AddBlock(
                                        path, file, generation, blocks, before.block(), before.receipt())))
                .block();
        previous = null;
        if (generation == 0) {
            generation = target.block().generation();
            renewal.start(generation);
        }
        return target;
    }

    private void endBlock() throws InterruptedException {
        Attempt current = attempt;
        if (current != null && current.copy().length() == 0) {
            abort();
            return;
        }
        while (current != null) {
            try {
                previous = BlockingLambdaFs.await(current.writer().finish());
                blocks++;
                spill.clear();
                attempt = null;
                patience = null;
                return;
            } catch (FsException lost) {
                current = again(current, lost);
            }
        }
    }

    /**
     * Rewrites a block from its first byte, as a new attempt, until a datanode accepts it or the client's deadline
     * passes.
     */
    private Attempt again(Attempt failed, FsException lost) throws InterruptedException {
        Patience waits = patience;
        if (waits == null || failed.copy().length() > failedLength) {
            waits = fs.patience(path);
            patience = waits;
            failedLength = failed.copy().length();
        }
        FsException why = lost;
        while (true) {
            if (!isPassing(why.code()) || !failed.copy().isWhole()) {
                throw LambdaFs.named(path, why);
            }
            BlockingLambdaFs.await(waits.later(why));
            renewal.check();
            Attempt next = begin(addBlock(), failed.copy());
            attempt = next;
            try {
                failed.copy()
                        .replay(part -> BlockingLambdaFs.await(next.writer().write(part)));
                return next;
            } catch (FsException e) {
                next.writer().abort();
                why = e;
            }
        }
    }

    /**
     * Returns whether another attempt, perhaps at another datanode, may succeed. It has its own key: an object under
     * this attempt's key comes from a request believed lost.
     */
    private static boolean isPassing(ErrorCode code) {
        return code.disposition() != Disposition.FINAL
                || code == ErrorCode.ALREADY_EXISTS
                || code == ErrorCode.NOT_FOUND
                || code == ErrorCode.TOKEN_EXPIRED
                || code == ErrorCode.BLOCK_CORRUPT;
    }

    private void abort() {
        Attempt current = attempt;
        attempt = null;
        if (current != null) {
            current.writer().abort();
        }
        spill.clear();
    }
}
