package io.lambdafs.client;

import io.lambdafs.client.block.BlockWriter;
import io.lambdafs.model.Block;
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
 * Writes a file that was made empty, or appends to one. What fits with the metadata is given to an empty file by one message, when it is complete; what
 * does not goes to datanodes, block by block, under a writer lease that is renewed meanwhile, and so does what is appended to a file with a content. A
 * block whose datanode is lost is written again elsewhere, from a copy on this machine's disk ({@link Spill}).
 *
 * <p>A file is complete after {@link #complete}. {@link #abandon} removes a new one; what was there before, or {@link #sync} has made durable, stays. Each method blocks, and throws {@link
 * FsException}; a writer in which one failed can only be abandoned. For one thread at a time, and never the one that completes a client's stage.
 */
public final class FileWriter {
    /** Well below the time after which another writer may take the file. */
    private static final long RENEW_NANOS = Duration.ofSeconds(20).toNanos();

    private final LambdaFs fs;
    private final FsPath path;
    private final OpenFile file;
    private final LeaseRenewal renewal;
    /** What has been written and not sent: all that a file has which may fit with the metadata, or a part of its next block. */
    private byte[] gathered = new byte[8 << 10];

    private int filled;
    /** How much of it the file has already, with its metadata. */
    private int head;

    /** Of the writer lease; 0 as long as there is none. */
    private long generation;

    private long startLength;
    private int blocks;
    private @Nullable Block previous;
    private @Nullable Attempt attempt;
    private boolean inBlocks;
    /** Whether something of the file has to stay, whatever becomes of the rest. */
    private boolean keeps;

    private boolean over;

    /** Of the call that is under way, once a block has failed in it; another one with each byte that the block has gained since. */
    private @Nullable Patience patience;

    private long failedLength;

    /** A block that is being written. */
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

    /** Appends to a file under a lease that was taken. */
    FileWriter(LambdaFs fs, FsPath path, Reply.Leased leased) {
        this(fs, path, leased.file());
        generation = leased.generation();
        if (generation == 0) {
            return; // It is empty, and the service takes no lease for it: as good as new.
        }
        keeps = true;
        startLength = leased.attributes().size();
        blocks = leased.blocks();
        byte[] inline = leased.head();
        inBlocks = inline == null && startLength > 0;
        if (inline != null) {
            gathered = Arrays.copyOf(inline, Math.max(inline.length, gathered.length));
            filled = inline.length;
            head = inline.length;
        }
        renewal.start(generation);
    }

    /** Returns how long the file was when it was opened, in bytes. */
    public long startLength() {
        return startLength;
    }

    /** Adds bytes to the end. They are taken out of the buffer before this returns. */
    public void write(ByteBuffer bytes) throws InterruptedException {
        checkUsable();
        while (bytes.hasRemaining()) {
            if (filled == Operation.MAX_INLINE_BYTES) {
                sendGathered();
            }
            int part = Math.min(bytes.remaining(), Operation.MAX_INLINE_BYTES - filled);
            if (gathered.length - filled < part) {
                int wanted = Math.max(filled + part, 2 * gathered.length);
                gathered = Arrays.copyOf(gathered, Math.min(wanted, Operation.MAX_INLINE_BYTES));
            }
            bytes.get(gathered, filled, part);
            filled += part;
        }
    }

    /** Whether what was written may yet be given to the file by one message. */
    private boolean isSmall() {
        return !inBlocks && head == 0;
    }

    /** Makes what was written so far durable, and shows it to readers. What is written next begins another block. */
    public void sync() throws InterruptedException {
        checkUsable();
        if (!inBlocks && filled == head) {
            return;
        }
        sendGathered();
        endBlock();
        if (previous != null) {
            attempt = begin(addBlock(), new Spill());
            keeps = true;
        }
    }

    /** Makes what was written the file's content, durably. */
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

    /** Completes the file with all of its content in blocks, what is kept with the metadata too. */
    void completeInBlocks() throws InterruptedException {
        checkUsable();
        sendGathered();
        endBlock();
        completeBlocks();
        end();
    }

    private void end() {
        over = true;
        renewal.stop();
    }

    private void completeBlocks() throws InterruptedException {
        BlockingLambdaFs.await(fs.execute(new BlockOperation.CompleteBlocks(path, file, generation, blocks, previous)));
    }

    /** Removes a new file, unless it is complete; gives back one that keeps something. Idempotent. */
    public void abandon() throws InterruptedException {
        if (over) {
            return;
        }
        over = true;
        renewal.stop();
        abort();
        try {
            if (keeps) {
                completeBlocks();
            } else {
                BlockingLambdaFs.await(fs.execute(new BlockOperation.Abandon(path, file, generation)));
            }
        } catch (FsException e) {
            if (e.code() != ErrorCode.NOT_FOUND && e.code() != ErrorCode.STALE_GENERATION) {
                throw e;
            }
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

    /** Returns false where the service keeps less with the metadata than this client would send it. */
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
                current = begin(addBlock(), new Spill());
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
        LocatedBlock target = BlockingLambdaFs.await(
                        fs.execute(new BlockOperation.AddBlock(path, file, generation, blocks, previous)))
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
                current.copy().close();
                attempt = null;
                patience = null;
                return;
            } catch (FsException lost) {
                current = again(current, lost);
            }
        }
    }

    /** Writes a block again from its first byte, as another attempt, until a datanode takes it, or the client's deadline is over. */
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

    /** Whether another attempt, perhaps at another datanode, may do better. */
    private static boolean isPassing(ErrorCode code) {
        return code.disposition() != Disposition.FINAL
                || code == ErrorCode.NOT_FOUND
                || code == ErrorCode.TOKEN_EXPIRED
                || code == ErrorCode.BLOCK_CORRUPT;
    }

    private void abort() {
        Attempt current = attempt;
        attempt = null;
        if (current != null) {
            current.writer().abort();
            current.copy().close();
        }
    }
}
