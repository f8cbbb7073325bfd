package io.lambdafs.client.block;

import io.lambdafs.model.Block;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.LocatedBlock;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32C;

/** Keeps blocks in this process's memory, by their keys, without datanodes and without looking at tokens. Thread-safe. */
public final class MemoryBlockTransfer implements BlockTransfer {
    private final Map<String, byte[]> objects = new ConcurrentHashMap<>();

    /** The objects by their keys: what was finished and not removed. */
    public Map<String, byte[]> objects() {
        return objects;
    }

    @Override
    public BlockWriter write(LocatedBlock target) {
        return new Writer(target);
    }

    @Override
    public BlockReader read(LocatedBlock source) {
        return new Reader(source);
    }

    @Override
    public void close() {}

    private static <T> CompletionStage<T> failed(ErrorCode code, String message) {
        return CompletableFuture.failedFuture(new FsException(code, message));
    }

    private final class Writer implements BlockWriter {
        private final LocatedBlock target;
        private final ByteArrayOutputStream written = new ByteArrayOutputStream();

        Writer(LocatedBlock target) {
            this.target = target;
        }

        @Override
        public CompletionStage<Void> write(ByteBuffer bytes) {
            if (written.size() + bytes.remaining() > target.block().length()) {
                return failed(ErrorCode.INVALID_ARGUMENT, target.block().label() + " would become too long");
            }
            byte[] copy = new byte[bytes.remaining()];
            bytes.get(copy);
            written.write(copy, 0, copy.length);
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletionStage<Block> finish() {
            byte[] content = written.toByteArray();
            Block block = target.block();
            if (content.length == 0) {
                return failed(ErrorCode.INVALID_ARGUMENT, block.label() + " has no byte");
            }
            if (objects.putIfAbsent(target.key(), content) != null) {
                return failed(ErrorCode.ALREADY_EXISTS, target.key() + " is there already");
            }
            CRC32C crc = new CRC32C();
            crc.update(content);
            return CompletableFuture.completedFuture(
                    new Block(block.id(), block.generation(), content.length, (int) crc.getValue()));
        }

        @Override
        public void abort() {}
    }

    private final class Reader implements BlockReader {
        private final LocatedBlock source;

        Reader(LocatedBlock source) {
            this.source = source;
        }

        @Override
        public CompletionStage<ByteBuffer> read(long offset, int length) {
            byte[] content = objects.get(source.key());
            if (content == null) {
                return failed(ErrorCode.BLOCK_MISSING, source.key() + " is not there");
            }
            if (offset < 0 || length < 1 || length > MAX_LENGTH || offset + length > content.length) {
                return failed(
                        ErrorCode.INVALID_ARGUMENT,
                        "no such range of " + source.block().label());
            }
            return CompletableFuture.completedFuture(
                    ByteBuffer.wrap(content, (int) offset, length).slice());
        }

        @Override
        public void close() {}
    }
}
