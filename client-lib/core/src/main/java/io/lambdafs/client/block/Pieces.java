package io.lambdafs.client.block;

import io.lambdafs.model.WireReader;
import io.lambdafs.rpc.TailSink;
import io.lambdafs.rpc.Tailed;
import io.lambdafs.rpc.block.BlockPieces;
import io.lambdafs.rpc.block.Seal;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Puts each chunk in its place on arrival; into direct memory the system writes it itself. Confined to one event loop,
 * and after all chunks have arrived, to the thread that checks them.
 */
final class Pieces implements TailSink {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final long offset;
    private final int length;
    private final Supplier<ByteBuffer> place;
    private ByteBuffer into = NOTHING;
    private int[] checksums = {};
    private int taken;

    /** @param place returns the chunk's place, from 0 to its length; called when it arrives */
    Pieces(long offset, int length, Supplier<ByteBuffer> place) {
        this.offset = offset;
        this.length = length;
        this.place = place;
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
        into = place.get();
    }

    @Override
    public void take(ByteBuffer bytes) {
        int count = bytes.remaining();
        into.put(taken, bytes, bytes.position(), count);
        taken += count;
    }

    @Override
    public @Nullable ByteBuffer room() {
        return into.isDirect() ? into.slice(taken, length - taken) : null;
    }

    @Override
    public void came(int count) {
        taken += count;
    }

    /** Computes the checksums; returns whether all chunks have arrived and match theirs. */
    boolean areWhole() {
        boolean same = taken == length;
        CRC32C crc = new CRC32C();
        for (int at = 0; same && at < length; at += Seal.GRANULE) {
            crc.reset();
            crc.update(into.slice(at, Math.min(Seal.GRANULE, length - at)));
            same = (int) crc.getValue() == checksums[at / Seal.GRANULE];
        }
        return same;
    }
}
