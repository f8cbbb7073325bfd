package io.lambdafs.client.block.direct;

import io.lambdafs.client.block.BlockReader;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.LocatedBlock;
import io.lambdafs.rpc.block.Seal;
import io.lambdafs.rpc.objects.ObjectClient;
import io.lambdafs.rpc.objects.SignedRequest;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Reads ranges of a block from its object, and checks them against its seal, which it reads once. Reads a range that
 * does not match a second time: it may have been changed in transit. Thread-safe.
 */
final class DirectReader implements BlockReader {
    private final ObjectClient objects;
    private final LocatedBlock source;
    private final SignedRequest request;
    private final Block stored;
    private boolean closed;
    private @Nullable CompletableFuture<Seal> seal;

    /** @param stored the block in its object, of which the file may show less */
    DirectReader(ObjectClient objects, LocatedBlock source, SignedRequest request, Block stored) {
        this.objects = objects;
        this.source = source;
        this.request = request;
        this.stored = stored;
    }

    @Override
    public CompletionStage<ByteBuffer> read(long offset, int length) {
        FsException refusal = BlockReader.refusal(source.block(), offset, length);
        if (refusal != null) {
            return CompletableFuture.failedFuture(refusal);
        }
        return checked(offset, length).exceptionallyCompose(thrown -> {
            FsException why = FsException.of(thrown);
            return why.code() == ErrorCode.BLOCK_CORRUPT
                    ? checked(offset, length)
                    : CompletableFuture.failedFuture(why);
        });
    }

    private CompletionStage<ByteBuffer> checked(long offset, int length) {
        synchronized (this) {
            if (closed) {
                return CompletableFuture.failedFuture(new FsException(
                        ErrorCode.INTERRUPTED, "the reader of " + source.block().label() + " is closed"));
            }
        }
        long from = offset - offset % Seal.GRANULE;
        long end = offset + length;
        long to = Math.min(stored.length(), (end + Seal.GRANULE - 1) / Seal.GRANULE * Seal.GRANULE);
        CompletionStage<Seal> known = seal();
        return get(from, (int) (to - from)).thenCombine(known, (bytes, checksums) -> {
            if (!checksums.matches(bytes, bytes.length, from)) {
                throw corrupt("the bytes from " + from + " to " + to + " are not those that were written");
            }
            return ByteBuffer.wrap(bytes, (int) (offset - from), length).slice();
        });
    }

    private CompletionStage<byte[]> get(long from, int length) {
        return objects.get(request, from, length, source.store(), source.key()).thenApply(bytes -> {
            if (bytes.length != length) {
                throw corrupt("it ends after " + (from + bytes.length) + " bytes");
            }
            return bytes;
        });
    }

    private synchronized CompletionStage<Seal> seal() {
        CompletableFuture<Seal> known = seal;
        if (known == null || known.isCompletedExceptionally()) {
            known = get(stored.length(), Seal.size(stored.length()))
                    .thenApply(bytes -> {
                        Seal found = Seal.read(stored, bytes);
                        if (found == null) {
                            throw corrupt("its seal is damaged or another block's");
                        }
                        return found;
                    })
                    .toCompletableFuture();
            seal = known;
        }
        return known;
    }

    private FsException corrupt(String why) {
        return new FsException(
                ErrorCode.BLOCK_CORRUPT,
                "the object " + source.key() + " of " + source.block().label() + " in " + source.store()
                        + " is damaged: " + why + "; restore the object or the file from a copy");
    }

    @Override
    public synchronized void close() {
        closed = true;
    }
}
