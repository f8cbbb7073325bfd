package io.lambdafs.door.hdfs.data;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.hdfs.protocol.datatransfer.PacketHeader;
import org.apache.hadoop.util.DataChecksum;

/**
 * A packet of a block: header, checksums, data, of {@value #MOST_BYTES} bytes at most. The buffer is used again for the
 * next one. Confined to one thread.
 */
final class Packet {
    static final int MOST_BYTES = 1 << 20;
    private static final int MOST_HEADER_BYTES = 1 << 10;

    private final DataChecksum checksum;
    private PacketHeader header = new PacketHeader();
    private byte[] buffer = new byte[0];
    private int sums;
    private int length;

    Packet(DataChecksum checksum) {
        this.checksum = checksum;
    }

    PacketHeader header() {
        return header;
    }

    ByteBuffer data() {
        return ByteBuffer.wrap(buffer, sums, length).slice();
    }

    void read(DataInputStream in) throws IOException {
        int payload = in.readInt();
        int headerLength = in.readUnsignedShort();
        if (payload < Integer.BYTES || payload > MOST_BYTES || headerLength > MOST_HEADER_BYTES) {
            throw new IOException("a packet of " + payload + " bytes with a header of " + headerLength
                    + " is too long for a door: at most " + MOST_BYTES);
        }
        byte[] head = new byte[headerLength];
        in.readFully(head);
        header = new PacketHeader();
        header.setFieldsFromData(payload, head);
        length = header.getDataLen();
        sums = payload - Integer.BYTES - length;
        int chunk = checksum.getBytesPerChecksum();
        long chunks = ((long) length + chunk - 1) / chunk;
        if (length < 0 || sums != chunks * checksum.getChecksumSize()) {
            throw new IOException("a packet of " + length + " bytes has checksums of " + sums);
        }
        if (buffer.length < sums + length) {
            buffer = new byte[sums + length];
        }
        in.readFully(buffer, 0, sums + length);
    }

    /** @throws org.apache.hadoop.fs.ChecksumException if the data differ from those sent */
    void verify(String name) throws IOException {
        if (sums > 0) {
            checksum.verifyChunkedSums(
                    data(), ByteBuffer.wrap(buffer, 0, sums).slice(), name, header.getOffsetInBlock());
        }
    }
}
