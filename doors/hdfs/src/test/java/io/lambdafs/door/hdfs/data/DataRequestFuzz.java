package io.lambdafs.door.hdfs.data;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.OpBlockChecksumProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.OpReadBlockProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.OpWriteBlockProto;

/** Fuzzes the requests of the data port: read, or refused. */
public final class DataRequestFuzz {
    private DataRequestFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(input))) {
            DataRequest request = DataRequest.read(in);
            while (request != null) {
                parse(request.operation(), request.body());
                request = DataRequest.read(in);
            }
        } catch (IOException refused) {
            return;
        }
    }

    private static void parse(int operation, InputStream body) throws IOException {
        switch (operation) {
            case DataRequest.READ_BLOCK -> OpReadBlockProto.parseFrom(body);
            case DataRequest.WRITE_BLOCK -> OpWriteBlockProto.parseFrom(body);
            case DataRequest.BLOCK_CHECKSUM -> OpBlockChecksumProto.parseFrom(body);
            default -> throw new IOException("operation " + operation + " is not for a door");
        }
    }
}
