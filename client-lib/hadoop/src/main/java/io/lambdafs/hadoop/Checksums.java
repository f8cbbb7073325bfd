package io.lambdafs.hadoop;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.MD5MD5CRC32CastagnoliFileChecksum;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.MD5Hash;
import org.apache.hadoop.util.DataChecksum;

/** HDFS's checksum of a file: the MD5 of its blocks' MD5s, each of the CRCs of the block's chunks. Stateless. */
final class Checksums {
    /** What HDFS computes a CRC of, unless it is told otherwise, in bytes. */
    private static final int CHUNK = 512;

    private Checksums() {}

    /** @param blockSize that the file was made with: blocks count, though the content is in one piece */
    static FileChecksum of(byte[] content, int length, long blockSize) throws IOException {
        DataOutputBuffer blocks = new DataOutputBuffer();
        int from = 0;
        while (from < length) {
            int size = (int) Math.min(blockSize, length - from);
            ofBlock(content, from, size).write(blocks);
            from += size;
        }
        long perBlock = length > blockSize ? blockSize / CHUNK : 0;
        // As HDFS does it: with the zeros that the buffer has room for.
        return new MD5MD5CRC32CastagnoliFileChecksum(CHUNK, perBlock, MD5Hash.digest(blocks.getData()));
    }

    private static MD5Hash ofBlock(byte[] content, int from, int size) throws IOException {
        DataChecksum checksum = DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, CHUNK);
        ByteArrayOutputStream crcs = new ByteArrayOutputStream();
        byte[] crc = new byte[checksum.getChecksumSize()];
        for (int at = 0; at < size; at += CHUNK) {
            checksum.update(content, from + at, Math.min(CHUNK, size - at));
            checksum.writeValue(crc, 0, true);
            crcs.writeBytes(crc);
        }
        return MD5Hash.digest(crcs.toByteArray());
    }
}
