package io.lambdafs.client.block;

import io.lambdafs.rpc.TailSink;
import io.lambdafs.rpc.Tailed;
import io.lambdafs.rpc.WireReader;
import io.lambdafs.rpc.block.BlockPieces;
import io.lambdafs.rpc.block.Seal;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Puts a chunk where it belongs as it comes, and holds each granule against its checksum while it is in the processor's cache. Confined to one event loop. */
final class Pieces implements TailSink {
    private final long offset;
    private final byte[] into;
    private final int start;
    private final int length;
    private final CRC32C crc = new CRC32C();
    private int[] checksums = {};
    private int taken;
    private boolean same = true;

    Pieces(long offset, byte[] into, int start, int length) {
        this.offset = offset;
        this.into = into;
        this.start = start;
        this.length = length;
    }

    @Override
    public void begin(Tailed answer, int bytes) {
        boolean fits = answer instanceof BlockPieces pieces
                && pieces.offset() == offset
                && bytes == length
                && pieces.checksums().length == Seal.granules(length);
        if (!fits) {
            throw WireReader.bad("not the " + length + " bytes at " + offset + ", but " + bytes + " of " + answer);
        }
        checksums = ((BlockPieces) answer).checksums();
    }

    @Override
    public void take(ByteBuffer bytes) {
        while (bytes.hasRemaining()) {
            int part = Math.min(bytes.remaining(), Seal.GRANULE - taken % Seal.GRANULE);
            crc.update(bytes.slice(bytes.position(), part));
            bytes.get(into, start + taken, part);
            taken += part;
            if (taken % Seal.GRANULE == 0 || taken == length) {
                same &= (int) crc.getValue() == checksums[(taken - 1) / Seal.GRANULE];
                crc.reset();
            }
        }
    }

    /** Whether all has come, and is what was written. */
    boolean areWhole() {
        return same && taken == length;
    }
}
