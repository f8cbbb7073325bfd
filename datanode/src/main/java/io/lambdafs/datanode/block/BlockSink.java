package io.lambdafs.datanode.block;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.Block;
import io.lambdafs.rpc.block.Crc32c;
import io.lambdafs.rpc.block.Seal;
import io.lambdafs.rpc.block.SealBuilder;

/** Writes a block as an object: its bytes, then its {@link Seal}. Confined to one thread at a time. */
public final class BlockSink implements AutoCloseable {
    private final Block target;
    private final BlockStore.Upload upload;
    private final SealBuilder content = new SealBuilder();

    /** @param target its length is the maximum for the block */
    public BlockSink(Block target, BlockStore.Upload upload) {
        this.target = target;
        this.upload = upload;
    }

    public long length() {
        return content.length();
    }

    /**
     * Adds bytes.
     *
     * @throws FsException {@code INVALID_ARGUMENT}: the block would become too long; else as the store specifies
     */
    public void add(byte[] bytes) {
        take(bytes);
        upload.write(bytes, 0, bytes.length);
    }

    /** Adds bytes if they have that CRC-32C; otherwise returns false, and nothing more can be added. */
    public boolean addIf(int crc32c, byte[] bytes) {
        int before = content.crc32c();
        take(bytes);
        if (Crc32c.last(content.crc32c(), before, bytes.length) != crc32c) {
            return false;
        }
        upload.write(bytes, 0, bytes.length);
        return true;
    }

    private void take(byte[] bytes) {
        long most = Math.min(target.length(), Seal.MAX_LENGTH);
        if (content.length() + bytes.length > most) {
            throw FsException.invalidArgument(
                    target.label() + " would become longer than " + most + " bytes: begin another block");
        }
        content.add(bytes, 0, bytes.length);
    }

    /**
     * Makes the block durable, if it has the writer's length and checksum.
     *
     * @throws FsException {@code BLOCK_CORRUPT}: it has not; else as the store specifies
     */
    public Block finish(long expectedLength, int expectedCrc32c) {
        long length = content.length();
        int crc32c = content.crc32c();
        if (length == 0 || length != expectedLength || crc32c != expectedCrc32c) {
            throw new FsException(
                    ErrorCode.BLOCK_CORRUPT,
                    target.label() + " arrived with " + length + " bytes, CRC-32C " + Integer.toHexString(crc32c)
                            + ", and was sent with " + expectedLength + ", " + Integer.toHexString(expectedCrc32c)
                            + ": write it again");
        }
        Block block = new Block(target.id(), target.generation(), length, crc32c);
        byte[] seal = content.seal(block);
        upload.write(seal, 0, seal.length);
        upload.commit();
        return block;
    }

    @Override
    public void close() {
        upload.close();
    }
}
