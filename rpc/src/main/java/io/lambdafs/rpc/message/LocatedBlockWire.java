package io.lambdafs.rpc.message;

import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.DatanodeAddress;
import io.lambdafs.model.block.DirectAccess;
import io.lambdafs.model.block.LocatedBlock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Encodes blocks with their locations. Stateless. */
final class LocatedBlockWire {
    /** Minimum bytes of a datanode's address. */
    private static final int MIN_ADDRESS_BYTES = 3;

    private static final int MIN_HEADER_BYTES = 2;
    /** First byte of an encoded direct access; block tokens begin with their version. */
    private static final byte DIRECT = 0x55;

    private LocatedBlockWire() {}

    static void write(WireWriter out, LocatedBlock located) {
        located.block().write(out);
        out.writeLong(located.offset());
        out.writeString(located.store());
        out.writeString(located.key());
        out.writeSize(located.datanodes().size());
        for (DatanodeAddress datanode : located.datanodes()) {
            out.writeString(datanode.id());
            out.writeString(datanode.host());
            out.writeInt(datanode.port());
        }
        DirectAccess direct = located.direct();
        out.writeBytes(direct == null ? located.token() : bytes(direct));
    }

    /** Encodes direct access in place of the token: a client that does not know it sees a block without datanodes. */
    private static byte[] bytes(DirectAccess direct) {
        WireWriter out = new WireWriter();
        out.writeByte(DIRECT);
        out.writeString(direct.url());
        out.writeSize(direct.headers().size());
        new TreeMap<>(direct.headers()).forEach((name, value) -> {
            out.writeString(name);
            out.writeString(value);
        });
        direct.stored().write(out);
        return out.toByteArray();
    }

    private static @Nullable DirectAccess direct(byte[] token) {
        if (token.length == 0 || token[0] != DIRECT) {
            return null;
        }
        WireReader in = new WireReader(token, 1, token.length - 1);
        String url = in.readString();
        int count = in.readCount(MIN_HEADER_BYTES);
        Map<String, String> headers = new HashMap<>();
        for (int i = 0; i < count; i++) {
            headers.put(in.readString(), in.readString());
        }
        Block stored = Block.read(in);
        in.expectEnd();
        return new DirectAccess(url, headers, stored);
    }

    static LocatedBlock read(WireReader in) {
        Block block = Block.read(in);
        long offset = in.readLong();
        String store = in.readString();
        String key = in.readString();
        int count = in.readCount(MIN_ADDRESS_BYTES);
        List<DatanodeAddress> datanodes = new ArrayList<>(count);
        try {
            for (int i = 0; i < count; i++) {
                datanodes.add(new DatanodeAddress(in.readString(), in.readString(), in.readInt()));
            }
            byte[] token = in.readBytes();
            DirectAccess direct = datanodes.isEmpty() ? direct(token) : null;
            return direct == null
                    ? new LocatedBlock(block, offset, store, key, datanodes, token)
                    : new LocatedBlock(block, offset, store, key, direct);
        } catch (IllegalArgumentException wrong) {
            throw WireReader.bad(String.valueOf(wrong.getMessage()));
        }
    }
}
