package io.lambdafs.client;

import io.lambdafs.client.block.BlockWriter;
import io.lambdafs.client.block.WrittenBlock;
import io.lambdafs.model.Disposition;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.block.LocatedBlock;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.OpenFile;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of a file being written, one after another, under a writer lease that the first one takes. A block whose
 * datanode is lost is rewritten elsewhere from a copy on the local disk ({@link Spill}). Blocks its thread; for one
 * thread at a time.
 */
final class FileBlocks {
    private final LambdaFs fs;
    private final FsPath path;
    private final OpenFile file;
    private final LeaseRenewal renewal;
    /** One for all blocks: disk space allocated for the first one serves the next ones. */
    private final Spill spill = new Spill();

    /** Generation of the writer lease; 0 without one. */
    private long generation;

    /** The number of whole blocks. */
    private int count;

    /** The last whole block, until the service knows of it; null if there is none. */
    private @Nullable WrittenBlock previous;

    /** The block being written; null between blocks. */
    private @Nullable Attempt attempt;

    /** The retries of the current call after a block has failed; renewed whenever the block makes progress. */
    private @Nullable Patience patience;

    private long failedLength;

    /** A block being written. */
    private record Attempt(LocatedBlock target, BlockWriter writer, Spill copy) {
        long room() {
            return target.block().length() - copy.length();
        }
    }

    FileBlocks(LambdaFs fs, FsPath path, OpenFile file, LeaseRenewal renewal) {
        this.fs = fs;
        this.path = path;
        this.file = file;
        this.renewal = renewal;
    }

    /** Continues a file that has count, or content, under a lease already taken. */
    void resume(long lease, int blocks) {
        generation = lease;
        count = blocks;
        renewal.start(lease);
    }

    /** Returns the generation of the writer lease; 0 if no block and no {@link #resume} has taken one. */
    long generation() {
        return generation;
    }

    /** Begins a call of the user, which has retries of its own. */
    void beginCall() {
        patience = null;
    }

    /** Appends bytes, consuming them from the buffer before returning. */
    void write(ByteBuffer bytes) throws InterruptedException {
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

    /** Ends the block being written, if any, and awaits that it is durable. */
    void endBlock() throws InterruptedException {
        Attempt current = attempt;
        if (current != null && current.copy().length() == 0) {
            abort();
            return;
        }
        while (current != null) {
            try {
                previous = BlockingLambdaFs.await(current.writer().finish());
                count++;
                spill.clear();
                attempt = null;
                patience = null;
                return;
            } catch (FsException lost) {
                current = again(current, lost);
            }
        }
    }

    /** Makes the service know of the last whole block by starting another; returns false if it knows already. */
    boolean publish() throws InterruptedException {
        if (previous == null) {
            return false;
        }
        attempt = begin(addBlock(), spill);
        return true;
    }

    /** Completes the file with its whole blocks. */
    void complete() throws InterruptedException {
        WrittenBlock last = previous;
        BlockingLambdaFs.await(fs.execute(
                last == null
                        ? new BlockOperation.CompleteBlocks(path, file, generation, count, null)
                        : new BlockOperation.CompleteBlocks(
                                path, file, generation, count, last.block(), last.receipt())));
    }

    /** Gives up the block being written, if any; does not block. */
    void abort() {
        Attempt current = attempt;
        attempt = null;
        if (current != null) {
            current.writer().abort();
        }
        spill.clear();
    }

    /** Removes the copy on the local disk. */
    void close() {
        spill.close();
    }

    private Attempt begin(LocatedBlock target, Spill copy) {
        return new Attempt(target, fs.blocks().write(target, copy), copy);
    }

    private LocatedBlock addBlock() throws InterruptedException {
        WrittenBlock before = previous;
        LocatedBlock target = BlockingLambdaFs.await(fs.execute(
                        before == null
                                ? new BlockOperation.AddBlock(path, file, generation, count, null)
                                : new BlockOperation.AddBlock(
                                        path, file, generation, count, before.block(), before.receipt())))
                .block();
        previous = null;
        if (generation == 0) {
            generation = target.block().generation();
            renewal.start(generation);
        }
        return target;
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
}
