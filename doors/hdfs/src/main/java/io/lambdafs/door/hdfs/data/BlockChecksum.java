package io.lambdafs.door.hdfs.data;

import io.lambdafs.client.FileReader;
import io.lambdafs.client.ReadAhead;
import io.lambdafs.door.hdfs.calls.BlockSeals;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.zip.CRC32C;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.OpBlockChecksumProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.OpBlockChecksumResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.BlockChecksumOptionsProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.BlockChecksumTypeProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.ChecksumTypeProto;
import org.apache.hadoop.io.MD5Hash;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.util.CrcUtil;
import org.apache.hadoop.util.DataChecksum;

/** Computes a block's part of a file's checksum, as HDFS with CRC-32C of every 512 bytes. Confined to one thread. */
final class BlockChecksum {
    private static final int BUFFER_BYTES = 64 << 10;

    private final DataContext context;
    private final DataOutputStream out;

    BlockChecksum(DataContext context, DataOutputStream out) {
        this.context = context;
        this.out = out;
    }

    void serve(OpBlockChecksumProto request) throws IOException {
        BlockSeals.Sealed what = context.open(request.getHeader(), false);
        boolean composite =
                request.getBlockChecksumOptions().getBlockChecksumType() == BlockChecksumTypeProto.COMPOSITE_CRC;
        byte[] sum;
        try (FileReader reader = BlockReading.reader(context, what)) {
            sum = composite ? crc(what, reader) : md5(what, reader);
        }
        BlockOpResponseProto.newBuilder()
                .setStatus(Status.SUCCESS)
                .setChecksumResponse(OpBlockChecksumResponseProto.newBuilder()
                        .setBytesPerCrc(BlockReading.CHUNK)
                        .setCrcPerBlock((what.length() + BlockReading.CHUNK - 1) / BlockReading.CHUNK)
                        .setBlockChecksum(ByteString.copyFrom(sum))
                        .setCrcType(ChecksumTypeProto.CHECKSUM_CRC32C)
                        .setBlockChecksumOptions(BlockChecksumOptionsProto.newBuilder()
                                .setBlockChecksumType(
                                        composite
                                                ? BlockChecksumTypeProto.COMPOSITE_CRC
                                                : BlockChecksumTypeProto.MD5CRC)
                                .setStripeLength(0)))
                .build()
                .writeDelimitedTo(out);
        out.flush();
    }

    /** Returns the MD5 of the chunks' CRCs. */
    private static byte[] md5(BlockSeals.Sealed what, FileReader reader) throws IOException {
        MessageDigest digest = MD5Hash.getDigester();
        DataChecksum checksum = DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, BlockReading.CHUNK);
        byte[] sums = new byte[BUFFER_BYTES / BlockReading.CHUNK * checksum.getChecksumSize()];
        each(what, reader, (bytes, length) -> {
            int chunks = (length + BlockReading.CHUNK - 1) / BlockReading.CHUNK;
            checksum.calculateChunkedSums(bytes, 0, length, sums, 0);
            digest.update(sums, 0, chunks * checksum.getChecksumSize());
        });
        return digest.digest();
    }

    /** Returns the CRC of the whole. */
    private static byte[] crc(BlockSeals.Sealed what, FileReader reader) throws IOException {
        CRC32C crc = new CRC32C();
        each(what, reader, (bytes, length) -> crc.update(bytes, 0, length));
        return CrcUtil.intToBytes((int) crc.getValue());
    }

    private interface Part {
        void take(byte[] bytes, int length) throws IOException;
    }

    private static void each(BlockSeals.Sealed what, FileReader reader, Part taking) throws IOException {
        ReadAhead ahead = new ReadAhead(reader);
        byte[] bytes = new byte[BUFFER_BYTES];
        try {
            int length;
            for (long at = 0; at < what.length(); at += length) {
                length = (int) Math.min(BUFFER_BYTES, what.length() - at);
                BlockReading.fill(ahead, what, at, ByteBuffer.wrap(bytes, 0, length));
                taking.take(bytes, length);
            }
        } finally {
            ahead.drop();
        }
    }
}
