package io.lambdafs.datanode.block;

import io.lambdafs.model.Block;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** Writes a block as an object: its bytes, then its {@link Seal}. Confined to one thread at a time. */
public final class BlockSink implements AutoCloseable {
    private final Block target;
    private final BlockStore.Upload upload;
    private final CRC32C whole = new CRC32C();
    private final CRC32C granule = new CRC32C();
    private int[] checksums = new int[16];
    private int count;
    private long length;

    /** @param target whose length is the most that it may get */
    public BlockSink(Block target, BlockStore.Upload upload) {
        this.target = target;
        this.upload = upload;
    }

    public long length() {
        return length;
    }

    /**
     * Adds bytes.
     *
     * @throws FsException {@code INVALID_ARGUMENT}: the block would become too long; else as the store says
     */
    public void add(byte[] bytes) {
        long most = Math.min(target.length(), Seal.MAX_LENGTH);
        if (length + bytes.length > most) {
            throw new FsException(
                    ErrorCode.INVALID_ARGUMENT,
                    target.label() + " would become longer than " + most + " bytes: begin another block");
        }
        whole.update(bytes, 0, bytes.length);
        int at = 0;
        while (at < bytes.length) {
            int room = Seal.GRANULE - (int) (length % Seal.GRANULE);
            int part = Math.min(room, bytes.length - at);
            granule.update(bytes, at, part);
            at += part;
            length += part;
            if (part == room) {
                endGranule();
            }
        }
        upload.write(bytes, 0, bytes.length);
    }

    private void endGranule() {
        if (count == checksums.length) {
            checksums = Arrays.copyOf(checksums, 2 * count);
        }
        checksums[count++] = (int) granule.getValue();
        granule.reset();
    }

    /**
     * Makes the block durable, if it is what the writer says.
     *
     * @throws FsException {@code BLOCK_CORRUPT}: it is not; else as the store says
     */
    public Block finish(long expectedLength, int expectedCrc32c) {
        int crc32c = (int) whole.getValue();
        if (length == 0 || length != expectedLength || crc32c != expectedCrc32c) {
            throw new FsException(
                    ErrorCode.BLOCK_CORRUPT,
                    target.label() + " arrived with " + length + " bytes, CRC-32C " + Integer.toHexString(crc32c)
                            + ", and was sent with " + expectedLength + ", " + Integer.toHexString(expectedCrc32c)
                            + ": write it again");
        }
        if (length % Seal.GRANULE != 0) {
            endGranule();
        }
        Block block = new Block(target.id(), target.generation(), length, crc32c);
        byte[] seal = Seal.bytes(block, checksums, count);
        upload.write(seal, 0, seal.length);
        upload.commit();
        return block;
    }

    @Override
    public void close() {
        upload.close();
    }
}
