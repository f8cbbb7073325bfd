package io.lambdafs.rpc;

import io.lambdafs.model.Block;
import io.lambdafs.model.DatanodeAddress;
import io.lambdafs.model.LocatedBlock;
import java.util.ArrayList;
import java.util.List;

/** Blocks with their places on the wire. Stateless. */
final class LocatedBlockWire {
    /** Fewest bytes that a datanode's address takes. */
    private static final int MIN_ADDRESS_BYTES = 3;

    private LocatedBlockWire() {}

    static void write(WireWriter out, LocatedBlock located) {
        BlockWire.write(out, located.block());
        out.writeLong(located.offset());
        out.writeString(located.store());
        out.writeString(located.key());
        out.writeSize(located.datanodes().size());
        for (DatanodeAddress datanode : located.datanodes()) {
            out.writeString(datanode.id());
            out.writeString(datanode.host());
            out.writeInt(datanode.port());
        }
        out.writeBytes(located.token());
    }

    static LocatedBlock read(WireReader in) {
        Block block = BlockWire.read(in);
        long offset = in.readLong();
        String store = in.readString();
        String key = in.readString();
        int count = in.readCount(MIN_ADDRESS_BYTES);
        List<DatanodeAddress> datanodes = new ArrayList<>(count);
        try {
            for (int i = 0; i < count; i++) {
                datanodes.add(new DatanodeAddress(in.readString(), in.readString(), in.readInt()));
            }
            return new LocatedBlock(block, offset, store, key, datanodes, in.readBytes());
        } catch (IllegalArgumentException wrong) {
            throw WireReader.bad(String.valueOf(wrong.getMessage()));
        }
    }
}
