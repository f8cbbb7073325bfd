package io.lambdafs.door.hdfs.data;

import io.lambdafs.rpc.fuzz.Finding;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import org.apache.hadoop.util.DataChecksum;

/** Fuzzes the packets of a block: what is read is as long as its header says, and what is not right is refused. */
public final class PacketFuzz {
    private PacketFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        Packet packet = new Packet(DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, 512));
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(input))) {
            while (in.available() > 0) {
                packet.read(in);
                if (packet.data().remaining() != packet.header().getDataLen()) {
                    throw new Finding("its data are not as long as its header says");
                }
                packet.verify("fuzz");
            }
        } catch (IOException refused) {
            return;
        }
    }
}
