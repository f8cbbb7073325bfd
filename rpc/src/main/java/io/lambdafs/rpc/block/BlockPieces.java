package io.lambdafs.rpc.block;

import io.lambdafs.rpc.FileSlice;
import io.lambdafs.rpc.Tailed;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that were asked for follow, as they are in the datanode's file: nobody has looked at them.
 *
 * @param offset in the block
 * @param checksums the CRC-32C of each {@link Seal#GRANULE} bytes, out of the object's seal; not copied
 */
@SuppressWarnings("ArrayRecordComponent")
public record BlockPieces(
        long offset, int[] checksums, @Nullable FileSlice tail) implements Tailed {
    @Override
    public String toString() {
        return "BlockPieces[offset=" + offset + ", " + checksums.length + " checksums]";
    }
}
