package io.lambdafs.hammer.tree;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/** The content of files that a replay creates, and the checksum by which a model remembers any content. */
public final class Contents {
    private Contents() {}

    /** Returns the same bytes for the same key. */
    public static byte[] generate(long key, int size) {
        byte[] bytes = new byte[size];
        SplittableRandom random = new SplittableRandom(key);
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.remaining() >= Long.BYTES) {
            buffer.putLong(random.nextLong());
        }
        while (buffer.hasRemaining()) {
            buffer.put((byte) random.nextInt());
        }
        return bytes;
    }

    public static long checksum(byte[] content) {
        CRC32C crc = new CRC32C();
        crc.update(content);
        return crc.getValue();
    }
}
