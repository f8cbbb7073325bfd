package io.lambdafs.model;

/**
 * A stretch of a file's bytes that is stored as one immutable object. Immutable.
 *
 * @param id unique in the file system
 * @param generation of the writer lease under which it was added; taking or recovering the lease raises it
 * @param length bytes; of a block that is being written, how many it may have at most
 * @param crc32c CRC-32C of all its bytes; 0 while it is being written
 */
public record Block(long id, long generation, long length, int crc32c) {
    public Block {
        if (length < 0) {
            throw new IllegalArgumentException("a block of " + length + " bytes");
        }
    }

    /** What logs and messages call it. */
    public String label() {
        return "block " + id + " of generation " + generation;
    }
}
