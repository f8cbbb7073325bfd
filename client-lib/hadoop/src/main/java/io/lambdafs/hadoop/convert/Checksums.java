package io.lambdafs.hadoop.convert;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Locale;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CompositeCrcFileChecksum;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.MD5MD5CRC32CastagnoliFileChecksum;
import org.apache.hadoop.fs.MD5MD5CRC32GzipFileChecksum;
import org.apache.hadoop.fs.Options.ChecksumOpt;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.io.MD5Hash;
import org.apache.hadoop.util.DataChecksum;
import org.jspecify.annotations.Nullable;

/**
 * Computes HDFS's checksums of a file: the MD5 of its blocks' MD5s of chunk CRCs, or a CRC of the whole file, as
 * configured by {@code dfs.checksum.combine.mode}. λFS stores no such CRCs, so files can have any kind of them. Stateless.
 */
public final class Checksums {
    /** HDFS's default: the kind of CRC, and the bytes of a chunk. */
    private static final ChecksumOpt DEFAULT = new ChecksumOpt(DataChecksum.Type.CRC32C, 512);

    /** Zero bytes whose MD5 is that of an empty file. */
    private static final int EMPTY = 32;

    private static final int BUFFER = 64 << 10;

    private Checksums() {}

    /**
     * Returns the kind of CRCs that HDFS would have stored: as the file's creator asked, otherwise as configured by
     * {@code dfs.checksum.type} and {@code dfs.bytes-per-checksum}.
     */
    public static ChecksumOpt kind(Configuration configuration, @Nullable ChecksumOpt asked) {
        int chunk = configuration.getInt("dfs.bytes-per-checksum", DEFAULT.getBytesPerChecksum());
        String name = configuration
                .getTrimmed("dfs.checksum.type", DEFAULT.getChecksumType().name())
                .toUpperCase(Locale.ROOT);
        DataChecksum.Type type = Arrays.stream(DataChecksum.Type.values())
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElse(DEFAULT.getChecksumType());
        ChecksumOpt configured = new ChecksumOpt(type, chunk > 0 ? chunk : DEFAULT.getBytesPerChecksum());
        return ChecksumOpt.processChecksumOpt(configured, asked);
    }

    /**
     * Reads content and computes its checksum. HDFS has one checksum for an empty file, in either mode.
     *
     * @param composite whether to compute the CRC of the whole, independent of chunk and block sizes
     * @param blockSize of the file: it affects the other checksum even if the content is in one piece
     * @return null, which compares with anything, for a kind without CRCs
     */
    public static @Nullable FileChecksum of(
            InputStream content, ChecksumOpt kind, boolean composite, long length, long blockSize) throws IOException {
        DataChecksum.Type type = kind.getChecksumType();
        if (type != DataChecksum.Type.CRC32 && type != DataChecksum.Type.CRC32C) {
            return null;
        }
        if (length == 0) {
            return new MD5MD5CRC32GzipFileChecksum(0, 0, MD5Hash.digest(new byte[EMPTY]));
        }
        return composite ? composite(content, kind, length) : ofBlocks(content, kind, length, blockSize);
    }

    private static FileChecksum ofBlocks(InputStream content, ChecksumOpt kind, long length, long blockSize)
            throws IOException {
        DataOutputBuffer blocks = new DataOutputBuffer();
        long left = length;
        while (left > 0) {
            long size = Math.min(blockSize, left);
            ofBlock(content, kind, size).write(blocks);
            left -= size;
        }
        int chunk = kind.getBytesPerChecksum();
        long perBlock = length > blockSize ? blockSize / chunk : 0;
        // As in HDFS: including the zeros in the rest of the buffer.
        MD5Hash all = MD5Hash.digest(blocks.getData());
        return kind.getChecksumType() == DataChecksum.Type.CRC32
                ? new MD5MD5CRC32GzipFileChecksum(chunk, perBlock, all)
                : new MD5MD5CRC32CastagnoliFileChecksum(chunk, perBlock, all);
    }

    private static FileChecksum composite(InputStream content, ChecksumOpt kind, long length) throws IOException {
        Checksum crc = kind.getChecksumType() == DataChecksum.Type.CRC32 ? new CRC32() : new CRC32C();
        byte[] part = new byte[BUFFER];
        long left = length;
        while (left > 0) {
            int size = (int) Math.min(BUFFER, left);
            IOUtils.readFully(content, part, 0, size);
            crc.update(part, 0, size);
            left -= size;
        }
        return new CompositeCrcFileChecksum((int) crc.getValue(), kind.getChecksumType(), kind.getBytesPerChecksum());
    }

    private static MD5Hash ofBlock(InputStream content, ChecksumOpt kind, long size) throws IOException {
        int bytes = kind.getBytesPerChecksum();
        DataChecksum checksum = DataChecksum.newDataChecksum(kind.getChecksumType(), bytes);
        MessageDigest crcs = MD5Hash.getDigester();
        byte[] chunk = new byte[bytes];
        byte[] crc = new byte[checksum.getChecksumSize()];
        for (long at = 0; at < size; at += bytes) {
            int part = (int) Math.min(bytes, size - at);
            IOUtils.readFully(content, chunk, 0, part);
            checksum.update(chunk, 0, part);
            checksum.writeValue(crc, 0, true);
            crcs.update(crc);
        }
        return new MD5Hash(crcs.digest());
    }
}
