package io.lambdafs.client.block;

import io.lambdafs.model.FsException;
import io.lambdafs.model.block.Block;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Reads one block, in any order, several ranges at once. If a datanode fails, asks another one. Thread-safe. */
public interface BlockReader extends AutoCloseable {
    /** The maximum number of bytes read at once. */
    int MAX_LENGTH = 8 << 20;

    /**
     * Reads a range.
     *
     * @param length 1–{@value #MAX_LENGTH}; the range must lie within the block
     * @return exactly those bytes, checked; fails with an {@code FsException}: {@code UNAVAILABLE} (no datanode answers),
     *     {@code TOKEN_EXPIRED} (ask for the block's location again), {@code BLOCK_CORRUPT}, {@code BLOCK_MISSING}, {@code UNAUTHENTICATED},
     *     {@code INVALID_ARGUMENT}
     */
    CompletionStage<ByteBuffer> read(long offset, int length);

    /**
     * Reads a range whose bytes are checked later, by the thread that wants them rather than the one that receives
     * them. Fails as {@link #read} does.
     *
     * @param buffers makes an empty buffer for at least so many bytes, used by no one else; called on any thread, when
     *     the first bytes come. The reader uses one no more if it is the {@link Received#buffer}; after a failure it
     *     may still
     */
    default CompletionStage<Received> receive(long offset, int length, IntFunction<ByteBuffer> buffers) {
        return read(offset, length).thenApply(Received::checked);
    }

    /** Why a range is not read; null where it lies within a block, and is not too long. */
    static @Nullable FsException refusal(Block block, long offset, int length) {
        return offset < 0 || length < 1 || length > MAX_LENGTH || offset > block.length() - length
                ? FsException.invalidArgument(length + " bytes at " + offset + " cannot be read of the "
                        + block.length() + " of " + block.label())
                : null;
    }

    /** Refuses further reads ({@code INTERRUPTED}); those under way go on. Idempotent. */
    @Override
    void close();
}
