package io.lambdafs.client.block.direct;

import io.lambdafs.client.block.BlockCopy;
import io.lambdafs.client.block.BlockWriter;
import io.lambdafs.client.block.WrittenBlock;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.LocatedBlock;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.rpc.block.SealBuilder;
import io.lambdafs.rpc.objects.ObjectClient;
import io.lambdafs.rpc.objects.SignedRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Writes a block as an object by one request, once it is complete: an object store needs an object's length before its
 * first byte. The store checks the bytes against an MD5. Thread-safe.
 */
final class DirectWriter implements BlockWriter {
    private final ObjectClient objects;
    private final LocatedBlock target;
    private final SignedRequest request;
    private final BlockCopy copy;
    private final SealBuilder seal = new SealBuilder();
    private final MessageDigest md5;
    private boolean over;
    private @Nullable CompletableFuture<Void> sending;

    DirectWriter(ObjectClient objects, LocatedBlock target, SignedRequest request, BlockCopy copy) {
        this.objects = objects;
        this.target = target;
        this.request = request;
        this.copy = copy;
        try {
            md5 = MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public synchronized CompletionStage<Void> write(ByteBuffer bytes) {
        if (over) {
            return CompletableFuture.failedFuture(ended());
        }
        if (seal.length() + bytes.remaining() > target.block().length()) {
            return fail(
                    ErrorCode.INVALID_ARGUMENT,
                    target.block().label() + " may have " + target.block().length() + " bytes");
        }
        if (!copy.isWhole()) {
            return fail(
                    ErrorCode.STORE_FULL,
                    "the disk of java.io.tmpdir does not take " + target.block().label()
                            + ", which is kept there until it is in " + target.store()
                            + "; make room, or choose a smaller block size");
        }
        byte[] part = new byte[bytes.remaining()];
        bytes.get(part);
        seal.add(part, 0, part.length);
        md5.update(part);
        return CompletableFuture.completedFuture(null);
    }

    private <T> CompletionStage<T> fail(ErrorCode code, String message) {
        over = true;
        return CompletableFuture.failedFuture(new FsException(code, message));
    }

    private FsException ended() {
        return new FsException(
                ErrorCode.INTERRUPTED, "the writer of " + target.block().label() + " has ended");
    }

    @Override
    public synchronized CompletionStage<WrittenBlock> finish() {
        if (over) {
            return CompletableFuture.failedFuture(ended());
        }
        over = true;
        if (seal.length() == 0) {
            return fail(ErrorCode.INVALID_ARGUMENT, target.block().label() + " has no bytes");
        }
        long length = seal.length();
        Block block = new Block(target.block().id(), target.block().generation(), length, seal.crc32c());
        byte[] end = seal.seal(block);
        md5.update(end);
        Map<String, String> digest = Map.of("content-md5", Base64.getEncoder().encodeToString(md5.digest()));
        ObjectClient.Content content = new ObjectClient.Content(
                length + end.length,
                () -> new SequenceInputStream(new CopyStream(copy, length), new ByteArrayInputStream(end)));
        CompletableFuture<Void> sent = objects.put(request, digest, content, target.store(), target.key());
        sending = sent;
        return sent.thenApply(done -> new WrittenBlock(block, BlockOperation.NO_RECEIPT));
    }

    @Override
    public synchronized void abort() {
        over = true;
        if (sending != null) {
            sending.cancel(false);
        }
    }

    /** A copy from its first byte on. */
    private static final class CopyStream extends InputStream {
        private final BlockCopy copy;
        private final long length;
        private long at;

        CopyStream(BlockCopy copy, long length) {
            this.copy = copy;
            this.length = length;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int offset, int size) throws IOException {
            if (at == length) {
                return -1;
            }
            int part = (int) Math.min(size, length - at);
            copy.read(at, ByteBuffer.wrap(into, offset, part));
            at += part;
            return part;
        }
    }
}
