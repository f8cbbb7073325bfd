package io.lambdafs.door.hdfs.data;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import org.apache.hadoop.hdfs.protocol.datatransfer.DataTransferProtocol;
import org.apache.hadoop.util.ProtoUtil;
import org.jspecify.annotations.Nullable;

/**
 * A request of the data transfer protocol, of {@value #MOST_BYTES} bytes at most.
 *
 * @param body a message of the operation's own kind
 */
record DataRequest(int operation, InputStream body) {
    static final int READ_BLOCK = 81;
    static final int WRITE_BLOCK = 80;
    static final int BLOCK_CHECKSUM = 85;

    private static final int MOST_BYTES = 64 << 10;

    /** Returns the next request; null at the end of the connection. */
    static @Nullable DataRequest read(DataInputStream in) throws IOException {
        int version;
        try {
            version = in.readShort();
        } catch (EOFException done) {
            return null;
        }
        if (version != DataTransferProtocol.DATA_TRANSFER_VERSION) {
            throw new IOException("version " + version + " of the data transfer protocol is not known");
        }
        int operation = in.readUnsignedByte();
        int length = ProtoUtil.readRawVarint32(in);
        if (length < 0 || length > MOST_BYTES) {
            throw new IOException("a request of " + length + " bytes is too long");
        }
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return new DataRequest(operation, new ByteArrayInputStream(bytes));
    }
}
