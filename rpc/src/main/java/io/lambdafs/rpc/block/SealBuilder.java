package io.lambdafs.rpc.block;

import io.lambdafs.model.block.Block;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** Computes the {@link Seal} of a block from its bytes in order. Used by one thread at a time. */
public final class SealBuilder {
    /** The CRC-32C of all whole granules. */
    private int whole;

    private final CRC32C granule = new CRC32C();
    private int[] checksums = new int[16];
    private int count;
    private long length;

    /** Returns the number of bytes added. */
    public long length() {
        return length;
    }

    /** Returns the CRC-32C of all bytes added. */
    public int crc32c() {
        return Crc32c.join(whole, (int) granule.getValue(), length % Seal.GRANULE);
    }

    /** Adds bytes. */
    public void add(byte[] bytes, int offset, int size) {
        int at = 0;
        while (at < size) {
            int room = Seal.GRANULE - (int) (length % Seal.GRANULE);
            int part = Math.min(room, size - at);
            granule.update(bytes, offset + at, part);
            at += part;
            length += part;
            if (part == room) {
                whole = Crc32c.join(whole, (int) granule.getValue(), Seal.GRANULE);
                endGranule();
            }
        }
    }

    private void endGranule() {
        if (count == checksums.length) {
            checksums = Arrays.copyOf(checksums, 2 * count);
        }
        checksums[count++] = (int) granule.getValue();
        granule.reset();
    }

    /** Returns the seal of a block with the added bytes. Nothing may be added afterwards. */
    public byte[] seal(Block block) {
        if (length % Seal.GRANULE != 0) {
            endGranule();
        }
        return Seal.bytes(block, checksums, count);
    }
}
