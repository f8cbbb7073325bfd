package io.lambdafs.rpc;

import io.lambdafs.model.Block;

/** Encodes blocks in every message that names one. Stateless. */
public final class BlockWire {
    private BlockWire() {}

    public static void write(WireWriter out, Block block) {
        out.writeLong(block.id());
        out.writeLong(block.generation());
        out.writeLong(block.length());
        out.writeInt(block.crc32c());
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
