package io.lambdafs.model.block;

import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;

/**
 * A range of a file's bytes, stored as one immutable object. Immutable.
 *
 * @param id unique in the file system
 * @param generation of the writer lease under which it was added; taking or recovering the lease raises it
 * @param length bytes; for a block still being written, its maximum
 * @param crc32c CRC-32C of all its bytes; 0 while it is being written
 */
public record Block(long id, long generation, long length, int crc32c) {
    private static final int MAX_RECEIPT_BYTES = 64;

    public Block {
        if (length < 0) {
            throw new IllegalArgumentException("a block of " + length + " bytes");
        }
    }

    /** Returns the block's name for logs and messages. */
    public String label() {
        return "block " + id + " of generation " + generation;
    }

    public void write(WireWriter out) {
        out.writeLong(id);
        out.writeLong(generation);
        out.writeLong(length);
        out.writeInt(crc32c);
    }

    public static Block read(WireReader in) {
        return new Block(in.readLong(), in.readLong(), in.readLength(), in.readInt());
    }

    /** Reads a datanode's receipt, which follows its block. */
    public static byte[] readReceipt(WireReader in) {
        byte[] receipt = in.readBytes();
        if (receipt.length == 0 || receipt.length > MAX_RECEIPT_BYTES) {
            throw WireReader.bad("a receipt of " + receipt.length + " bytes");
        }
        return receipt;
    }
}
