package io.lambdafs.rpc.block;

import io.lambdafs.rpc.FileSlice;
import io.lambdafs.rpc.Tailed;
import org.jspecify.annotations.Nullable;

/**
 * The requested bytes follow, straight from the datanode's file: the datanode has not checked them.
 *
 * @param offset in the block
 * @param checksums the CRC-32C of each {@link Seal#GRANULE} bytes, from the object's seal; not copied
 */
@SuppressWarnings("ArrayRecordComponent")
public record BlockPieces(
        long offset, int[] checksums, @Nullable FileSlice tail) implements Tailed {
    @Override
    public String toString() {
        return "BlockPieces[offset=" + offset + ", " + checksums.length + " checksums]";
    }
}
