package io.lambdafs.rpc.block;

import io.lambdafs.model.block.Block;
import io.lambdafs.model.operation.Operation;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The trailer after a block's bytes in its object: a CRC-32C of every {@value #GRANULE} bytes, so that any range can be
 * checked, and a footer that identifies the block. All numbers are big-endian. Immutable.
 */
public final class Seal {
    /** Bytes under one checksum; a power of two. */
    public static final int GRANULE = 64 << 10;

    /** Maximum block length, whose seal takes a megabyte. */
    public static final long MAX_LENGTH = Operation.MAX_BLOCK_BYTES;

    private static final int MAGIC = 0x4c46_5342;
    private static final int VERSION = 1;
    private static final int FOOTER_BYTES = 40;

    private final Block block;
    private final int[] checksums;

    private Seal(Block block, int[] checksums) {
        this.block = block;
        this.checksums = checksums;
    }

    public Block block() {
        return block;
    }

    /** Returns the size of the seal of a block of that length. */
    public static int size(long length) {
        return Math.multiplyExact(granules(length), Integer.BYTES) + FOOTER_BYTES;
    }

    /** Returns the number of granules of that many bytes from the start of a granule. */
    public static int granules(long length) {
        return Math.toIntExact((length + GRANULE - 1) / GRANULE);
    }

    /** Encodes the seal of a block with these checksums of its granules. */
    public static byte[] bytes(Block block, int[] checksums, int count) {
        ByteBuffer out = ByteBuffer.allocate(size(block.length()));
        for (int i = 0; i < count; i++) {
            out.putInt(checksums[i]);
        }
        out.putInt(MAGIC)
                .putInt(VERSION)
                .putLong(block.id())
                .putLong(block.generation())
                .putLong(block.length())
                .putInt(block.crc32c());
        out.putInt(crc(out.array(), 0, out.position()));
        return out.array();
    }

    /** Parses a seal; returns null if the bytes are not that block's seal. */
    public static @Nullable Seal read(Block block, byte[] bytes) {
        int count = granules(block.length());
        ByteBuffer in = ByteBuffer.wrap(bytes);
        if (bytes.length != size(block.length())
                || in.getInt(bytes.length - Integer.BYTES) != crc(bytes, 0, bytes.length - Integer.BYTES)) {
            return null;
        }
        int[] checksums = new int[count];
        for (int i = 0; i < count; i++) {
            checksums[i] = in.getInt();
        }
        boolean same = in.getInt() == MAGIC
                && in.getInt() == VERSION
                && in.getLong() == block.id()
                && in.getLong() == block.generation()
                && in.getLong() == block.length()
                && in.getInt() == block.crc32c();
        return same ? new Seal(block, checksums) : null;
    }

    /**
     * Returns whether bytes match those written from {@code offset} on, a multiple of {@link #GRANULE}; checks whole
     * granules only.
     */
    public boolean matches(byte[] bytes, int length, long offset) {
        int granule = (int) (offset / GRANULE);
        for (int at = 0; at < length; at += GRANULE) {
            if (crc(bytes, at, Math.min(GRANULE, length - at)) != checksums[granule]) {
                return false;
            }
            granule++;
        }
        return true;
    }

    /** Returns whether a range of a block consists of whole granules, so that their checksums suffice to check it. */
    public static boolean isWhole(Block block, long offset, int length) {
        return offset % GRANULE == 0 && (length % GRANULE == 0 || offset + length == block.length());
    }

    /** Returns the checksums of the granules that a range overlaps. */
    public int[] checksums(long offset, int length) {
        return Arrays.copyOfRange(checksums, (int) (offset / GRANULE), granules(offset + length));
    }

    /** Returns the CRC-32C of a range. */
    public static int crc(byte[] bytes, int offset, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, offset, length);
        return (int) crc.getValue();
    }
}
