package io.lambdafs.rpc;

import io.lambdafs.model.Block;

/** Encodes blocks in every message that names one. Stateless. */
public final class BlockWire {
    private static final int MAX_RECEIPT_BYTES = 64;

    private BlockWire() {}

    public static void write(WireWriter out, Block block) {
        out.writeLong(block.id());
        out.writeLong(block.generation());
        out.writeLong(block.length());
        out.writeInt(block.crc32c());
    }

    /** Reads a datanode's receipt, which follows its block. */
    public static byte[] readReceipt(WireReader in) {
        byte[] receipt = in.readBytes();
        if (receipt.length == 0 || receipt.length > MAX_RECEIPT_BYTES) {
            throw WireReader.bad("a receipt of " + receipt.length + " bytes");
        }
        return receipt;
    }

    public static Block read(WireReader in) {
        return new Block(in.readLong(), in.readLong(), readLength(in), in.readInt());
    }

    /** Reads a length; rejects negative ones. */
    public static long readLength(WireReader in) {
        long length = in.readLong();
        if (length < 0) {
            throw WireReader.bad("a length of " + length);
        }
        return length;
    }
}
