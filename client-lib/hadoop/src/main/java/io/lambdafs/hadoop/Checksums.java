package io.lambdafs.hadoop;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.CompositeCrcFileChecksum;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.MD5MD5CRC32CastagnoliFileChecksum;
import org.apache.hadoop.fs.MD5MD5CRC32GzipFileChecksum;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.io.MD5Hash;
import org.apache.hadoop.util.DataChecksum;

/**
 * Computes HDFS's checksums of a file: the MD5 of its blocks' MD5s of chunk CRCs, or a CRC of the whole file, as
 * configured by {@code dfs.checksum.combine.mode}. Stateless.
 */
final class Checksums {
    /** HDFS's default chunk per CRC, in bytes. */
    private static final int CHUNK = 512;

    /** Zero bytes whose MD5 is that of an empty file. */
    private static final int EMPTY = 32;

    private static final int BUFFER = 64 << 10;

    private Checksums() {}

    /**
     * Reads content and computes its checksum. HDFS has one checksum for an empty file, in either mode.
     *
     * @param composite whether to compute the CRC of the whole, independent of chunk and block sizes
     * @param blockSize of the file: it affects the other checksum even if the content is in one piece
     */
    static FileChecksum of(InputStream content, boolean composite, long length, long blockSize) throws IOException {
        if (length == 0) {
            return new MD5MD5CRC32GzipFileChecksum(0, 0, MD5Hash.digest(new byte[EMPTY]));
        }
        return composite ? composite(content, length) : ofBlocks(content, length, blockSize);
    }

    private static FileChecksum ofBlocks(InputStream content, long length, long blockSize) throws IOException {
        DataOutputBuffer blocks = new DataOutputBuffer();
        long left = length;
        while (left > 0) {
            long size = Math.min(blockSize, left);
            ofBlock(content, size).write(blocks);
            left -= size;
        }
        long perBlock = length > blockSize ? blockSize / CHUNK : 0;
        // As in HDFS: including the zeros in the rest of the buffer.
        return new MD5MD5CRC32CastagnoliFileChecksum(CHUNK, perBlock, MD5Hash.digest(blocks.getData()));
    }

    private static FileChecksum composite(InputStream content, long length) throws IOException {
        CRC32C crc = new CRC32C();
        byte[] part = new byte[BUFFER];
        long left = length;
        while (left > 0) {
            int size = (int) Math.min(BUFFER, left);
            IOUtils.readFully(content, part, 0, size);
            crc.update(part, 0, size);
            left -= size;
        }
        return new CompositeCrcFileChecksum((int) crc.getValue(), DataChecksum.Type.CRC32C, CHUNK);
    }

    private static MD5Hash ofBlock(InputStream content, long size) throws IOException {
        DataChecksum checksum = DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, CHUNK);
        MessageDigest crcs = MD5Hash.getDigester();
        byte[] chunk = new byte[CHUNK];
        byte[] crc = new byte[checksum.getChecksumSize()];
        for (long at = 0; at < size; at += CHUNK) {
            int part = (int) Math.min(CHUNK, size - at);
            IOUtils.readFully(content, chunk, 0, part);
            checksum.update(chunk, 0, part);
            checksum.writeValue(crc, 0, true);
            crcs.update(crc);
        }
        return new MD5Hash(crcs.digest());
    }
}
