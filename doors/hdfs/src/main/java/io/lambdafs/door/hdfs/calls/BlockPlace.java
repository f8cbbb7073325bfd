package io.lambdafs.door.hdfs.calls;

import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/**
 * The place of a block that is written: its file and where it begins there. Clients carry it in the name of the block's
 * pool, so that a door that has never seen the block can go on with it. They could make it up: it gives no rights.
 */
record BlockPlace(long file, long offset, String path) {
    private static final String BETWEEN = ":";
    private static final int PARTS = 4;

    /** Returns the name of the pool. */
    String pool(String prefix) {
        return String.join(BETWEEN, prefix, Long.toString(file), Long.toString(offset), path);
    }

    static BlockPlace of(ExtendedBlock block) throws IOException {
        String[] parts = block.getBlockPoolId().split(BETWEEN, PARTS);
        try {
            return new BlockPlace(Long.parseLong(parts[1]), Long.parseLong(parts[2]), parts[3]);
        } catch (ArrayIndexOutOfBoundsException | NumberFormatException e) {
            throw new IOException(block + " is not a block that a door gave out to be written", e);
        }
    }
}
